//! A start is reported exactly, and so is an end.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use jail::{Bwrap, ErrorKind, Host, JailError, ProgramExit};

use crate::for_both;
use crate::harness::{Place, finish, host, launch, start, start_on};

for_both!(exit_codes_and_signals_are_told_apart, |_| {
    let place = Place::new();
    for (script, exit) in [
        ("exit 7", ProgramExit::Code(7)),
        ("exit 0", ProgramExit::Code(0)),
        ("exit 137", ProgramExit::Code(137)),
        ("kill -KILL $$", ProgramExit::Signal(9)),
        ("kill -TERM $$", ProgramExit::Signal(15)),
        ("ulimit -c unlimited 2>/dev/null; kill -SEGV $$", ProgramExit::Signal(11)),
    ] {
        assert_eq!(finish(&place.request(script)).exit, Some(exit), "{script}");
    }
});

for_both!(pids_are_the_hosts, |_| {
    let place = Place::new();
    let mut running = start(&place.request("echo inside $$; read -r line")).unwrap();
    running.expect("inside 2");
    let init = running.started.init_pid.unwrap();
    let status = |pid: i32| std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let program = status(running.started.program_pid);
    assert!(program.contains("Name:\tbash\n") && program.contains(&format!("PPid:\t{init}\n")));
    assert!(status(init).lines().any(|line| {
        line.starts_with("NSpid:") && line.split_whitespace().next_back() == Some("1")
    }));
});

for_both!(kill_takes_a_child_in_its_own_session_too, |_| {
    let place = Place::new();
    let script = "setsid -f sh -c 'exec -a marked-child sleep 1000' ; \
                  until pgrep -x sleep >/dev/null; do :; done; echo ready; read -r line";
    let script = script.replace("exec -a marked-child ", "exec ");
    let mut running = start(&place.request(&script)).unwrap();
    running.expect("ready");
    let init = running.started.init_pid.unwrap();
    let inside = processes_below(init);
    assert!(inside.len() >= 2, "the program and the sleep: {inside:?}");
    running.started.kill_tree();
    let outcome = running.finish();
    assert_eq!(outcome.exit, None, "killed from outside");
    for pid in inside {
        assert!(!Path::new(&format!("/proc/{pid}")).exists(), "{pid} outlived its jail");
    }
});

for_both!(nothing_outlives_the_program, |_| {
    let place = Place::new();
    let script = "setsid -f sleep 1000; until pgrep -x sleep >/dev/null; do :; done; \
                  echo ready; read -r line; exit 3";
    let mut running = start(&place.request(script)).unwrap();
    running.expect("ready");
    let inside = processes_below(running.started.init_pid.unwrap());
    running.send("\n");
    assert_eq!(running.finish().exit, Some(ProgramExit::Code(3)));
    for pid in inside {
        assert!(!Path::new(&format!("/proc/{pid}")).exists(), "{pid} outlived its program");
    }
});

fn processes_below(init: i32) -> Vec<i32> {
    let list = std::fs::read_to_string(format!("/proc/{init}/task/{init}/children")).unwrap();
    list.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

for_both!(a_file_made_in_the_workspace_belongs_to_the_service, |_| {
    let place = Place::new();
    place.run("echo made > new; mkdir sub; echo more > sub/new; chmod 600 new");
    let made = std::fs::metadata(place.projects.join("new")).unwrap();
    let own = nix::unistd::Uid::effective().as_raw();
    assert_eq!((made.uid(), made.mode() & 0o777), (own, 0o600));
    // A second session, with another uid, may go on with it.
    let mut request = place.request("cat new && echo again >> new && rm -r sub");
    request.uid_slot = 8;
    assert!(finish(&request).output.contains("made"));
    assert_eq!(std::fs::read_to_string(place.projects.join("new")).unwrap(), "made\nagain\n");
    assert!(!place.projects.join("sub").exists());
});

for_both!(a_program_changed_since_it_was_hashed_does_not_start, |_| {
    let place = Place::new();
    let tool = place.projects.join("tool");
    std::fs::copy("/bin/bash", &tool).unwrap();
    let mut request = place.request("echo ran");
    let pinned = jail::pin_program(&tool, None).unwrap();
    (request.program.path, request.program.sha256) = (pinned.path, pinned.sha256);
    assert!(finish(&request).output.contains("ran"), "unchanged it runs");
    let plan = jail::plan(&request, &host(&request)).unwrap();
    std::fs::write(&tool, "#!/bin/sh\necho other\n").unwrap();
    let error = launch(&plan).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
});

for_both!(a_program_outside_is_refused_with_the_remedy, |_| {
    let place = Place::new();
    let tool = place.root.join("tool");
    std::fs::copy("/bin/bash", &tool).unwrap();
    let mut request = place.request("echo ran");
    let pinned = jail::pin_program(&tool, None).unwrap();
    (request.program.path, request.program.sha256) = (pinned.path, pinned.sha256);
    let error = start(&request).map(drop).unwrap_err();
    let text = error.to_string();
    let remedy = "not reachable in filesystem: workspace; use home or listed-paths";
    assert!(text.contains(remedy), "{text}");
    assert_eq!(error.code(), "sandbox_unavailable");
});

for_both!(a_script_without_its_interpreter_is_an_error_of_the_start, |_| {
    let place = Place::new();
    let tool = place.projects.join("tool");
    std::fs::write(&tool, "#!/nowhere/interpreter\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&tool, executable).unwrap();
    let mut request = place.request("");
    let pinned = jail::pin_program(&tool, None).unwrap();
    (request.program.path, request.program.sha256) = (pinned.path, pinned.sha256);
    let error = start(&request).map(drop).unwrap_err();
    assert!(error.to_string().contains("interpreter"), "{error}");
});

for_both!(a_cwd_outside_the_workspace_is_refused, |_| {
    let place = Place::new();
    std::os::unix::fs::symlink("/usr", place.projects.join("out")).unwrap();
    for cwd in [place.root.clone(), place.projects.join("out"), place.projects.join("none")] {
        let mut request = place.request("true");
        request.cwd = cwd;
        let error = start(&request).map(drop).unwrap_err();
        assert!(matches!(error, JailError::Cwd { .. }), "{error}");
    }
    let mut request = place.request("pwd");
    request.cwd = place.projects.join("below");
    std::fs::create_dir(&request.cwd).unwrap();
    assert!(finish(&request).output.contains("/projects/below"));
});

for_both!(bubblewrap_missing_too_old_or_failing, |_| {
    let place = Place::new();
    let request = place.request("echo ran");
    let with = |bwrap: Bwrap| Host { bwrap, ..host(&request) };
    let refusal = |bwrap: Bwrap| start_on(&request, &with(bwrap)).map(drop).unwrap_err();
    let missing = refusal(Bwrap::Missing);
    assert!(missing.to_string().contains("no bwrap on PATH"), "{missing}");
    assert!(missing.hint().contains("apt install bubblewrap"), "{}", missing.hint());
    let found = |path: &Path, version| Bwrap::Found { path: path.to_owned(), version };
    let old = refusal(found(Path::new("/usr/bin/bwrap"), (0, 4, 1)));
    assert!(old.to_string().contains("0.4.1 is too old"), "{old}");
    let gone = refusal(found(Path::new("/nowhere/bwrap"), (0, 8, 0)));
    assert!(gone.to_string().contains("cannot be executed"), "{gone}");
    // One that fails the way Ubuntu's does.
    let fake = place.root.join("bwrap");
    let script = "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n";
    std::fs::write(&fake, script).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&fake, executable).unwrap();
    let failing = refusal(found(&fake, (0, 8, 0)));
    assert!(failing.to_string().contains("setting up uid map"), "{failing}");
    assert!(failing.hint().contains("AppArmor"), "{}", failing.hint());
    assert_eq!(failing.code(), "sandbox_unavailable");
});

for_both!(without_a_sandbox_the_environment_is_still_made_from_nothing, |_| {
    let place = Place::new();
    let mut request = place.request("env; exit 9");
    request.unsafe_disable_sandbox = true;
    request.env = vec![("ADDED".to_owned(), "yes".to_owned())];
    let mut running = start(&request).unwrap();
    assert_eq!(running.started.init_pid, None);
    let output = running.finish().output;
    assert!(output.contains("ADDED=yes") && !output.contains("CANARY"), "{output}");
});

for_both!(no_secret_on_any_command_line_of_the_host, |_| {
    let place = Place::new();
    let mut request = place.request("echo $TOKEN | tr a-z A-Z; read -r line");
    request.env = vec![("TOKEN".to_owned(), "secret-of-the-scope".to_owned())];
    let mut running = start(&request).unwrap();
    running.expect("SECRET-OF-THE-SCOPE");
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        assert!(!line.contains("secret-of-the-scope"), "{line}");
    }
});
