//! The documents of the API, as the running service gives them.

use crate::harness::{Client, Service};

#[test]
fn documents_need_no_token_and_pages_fetch_nothing() {
    let service = Service::start();
    let nobody = Client::new(&service.url, "");
    let document = nobody.get("/openapi.json").ok();
    assert_eq!(document["openapi"], "3.1.0");
    for path in ["/docs", "/"] {
        let page = nobody.get(path);
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        for foreign in ["http://", "https://", "//cdn", "<script"] {
            assert!(!page.text.contains(foreign), "{path} contains {foreign}");
        }
    }
}

#[test]
fn the_catalogue_comes_in_three_shapes() {
    let service = Service::start();
    let agent = service.agent();
    let names = |query: &str, pointer: &str| {
        let list = agent.get(&format!("/v1/tools{query}")).ok();
        let tools = list["tools"].as_array().unwrap().clone();
        let name =
            |tool: &serde_json::Value| tool.pointer(pointer).unwrap().as_str().unwrap().to_owned();
        tools.iter().map(name).collect::<Vec<_>>()
    };
    let native = names("", "/name");
    assert_eq!(native.len(), 11);
    assert_eq!(names("?format=openai", "/function/name"), native);
    assert_eq!(names("?format=anthropic", "/name"), native);
}
