//! A configuration file as JSON, which YAML contains.

use serde_json::{Map, Value, json};

/// What a test changes about the default.
pub struct Config {
    terminal: Map<String, Value>,
    agent: Map<String, Value>,
    server: Map<String, Value>,
    allow: Vec<Value>,
}

impl Default for Config {
    fn default() -> Self {
        let mut config =
            Self { terminal: Map::new(), agent: Map::new(), server: Map::new(), allow: Vec::new() };
        // Ended with the service: a test leaves nothing behind.
        config.terminal.insert("drive".to_owned(), json!({ "durable": false }));
        config.allow("bash", "/usr/bin/bash").allow("python3", "/usr/bin/python3")
    }
}

impl Config {
    /// Adds an entry with least privilege, when the host has the program.
    pub fn allow(mut self, id: &str, path: &str) -> Self {
        self.allow.push(json!({
            "id": id,
            "match": { "path": path },
            "consent": { "acknowledgedRisk": true, "acknowledgedAt": "2026-01-01T00:00:00Z" },
        }));
        self
    }

    /// Adds an entry as it is.
    pub fn entry(mut self, entry: Value) -> Self {
        self.allow.push(entry);
        self
    }

    /// Members of `skills.terminal`.
    pub fn terminal(mut self, name: &str, value: Value) -> Self {
        self.terminal.insert(name.to_owned(), value);
        self
    }

    /// Members of the agent.
    pub fn agent(mut self, name: &str, value: Value) -> Self {
        self.agent.insert(name.to_owned(), value);
        self
    }

    /// Members of `server`.
    pub fn server(mut self, name: &str, value: Value) -> Self {
        self.server.insert(name.to_owned(), value);
        self
    }

    pub fn text(&self) -> String {
        let mut terminal = self.terminal.clone();
        terminal.insert("allow".to_owned(), self.allow.clone().into());
        let mut agent = self.agent.clone();
        agent.insert("skills".to_owned(), json!({ "terminal": terminal }));
        // A second agent, to be a stranger to the first.
        let stranger = agent.clone();
        json!({
            "server": self.server,
            "agents": { "default": agent, "stranger": stranger },
        })
        .to_string()
    }
}
