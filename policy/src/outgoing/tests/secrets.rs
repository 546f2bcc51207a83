use crate::outgoing::redact::find;

fn redacted(text: &str) -> String {
    let mut out = text.to_owned();
    for part in find(text).into_iter().rev() {
        out.replace_range(part, "#");
    }
    out
}

#[test]
fn secrets_go_and_their_labels_stay() {
    for (text, expected) in [
        ("password: hunter2", "password: #"),
        ("DB_PASSWORD=hunter2 next", "DB_PASSWORD=# next"),
        ("passwd = x9", "passwd = #"),
        ("pwd:abc", "pwd:#"),
        ("client_secret=abc", "client_secret=#"),
        ("\"apiKey\": \"k e y\",", "\"apiKey\": \"#\","),
        ("api key: zzz", "api key: #"),
        ("AWS_SECRET_ACCESS_KEY=abc/def", "AWS_SECRET_ACCESS_KEY=#"),
        ("private_key=abc", "private_key=#"),
        ("credential: abc", "credential: #"),
        ("ghp_abcdefghijklmnop1234", "#"),
        ("x github_pat_11AAAAAA_bbbbbb y", "x # y"),
        ("sk-ant-api03-abcdef", "#"),
        ("sk-proj-abcdef1", "#"),
        ("sk-abcdefghij0123456789", "#"),
        ("xoxb-123456789-abc", "#"),
        ("AKIAIOSFODNN7EXAMPLE", "#"),
        ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "#"),
        ("ya29.a0AfH6SMB", "#"),
        ("hf_abcdefghijKLMN", "#"),
        ("npm_abcdefghijklmnop1234", "#"),
        ("SG.abcdefgh12.ijklmnop", "#"),
        ("Authorization: Bearer abc.def-123", "Authorization: Bearer #"),
        ("authorization: Basic dXNlcjpwYXNz", "authorization: Basic #"),
        ("curl -H 'Bearer abcdefgh1'", "curl -H 'Bearer #'"),
        ("eyJhbGciOiJI.eyJzdWIi.c2ln", "#"),
        ("https://user:pa55@host/path", "https://#@host/path"),
        ("postgres://u:p@ss@db/x?sslmode=off", "postgres://#@db/x?sslmode=off"),
        ("Server=x;Password=abc;", "Server=x;Password=#;"),
        ("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc", "a\n#"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nb", "#\nb"),
        ("abcd1234\nefgh5678\n-----END OPENSSH PRIVATE KEY-----\nb", "#\nb"),
        ("qW3eR5tY7uI9oP1aS2dF4gH6jK8lZ0xC-vB_nM1qW3eR5", "#"),
    ] {
        assert_eq!(redacted(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "password: ${DB_PASSWORD}",
        "password=[REDACTED]",
        "Tokens: 593 sent, 12 received.",
        "Password: ",
        "basic authentication is used",
        "the bearer presented",
        "npm_config_registry",
        "risk-free sk-learn",
        "token: null",
        "git clone ssh://git@host/repo",
        "/usr/share/doc/a/very/long/path/with/many/parts/readme.txt",
        "--------------------------------------------------------------",
        "https://host/path@2x.png",
        "日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語",
    ] {
        assert_eq!(redacted(text), text);
    }
}
