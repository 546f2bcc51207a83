//! Looking at, steering or outliving other processes.

use super::{Attempt, least};

pub const ATTEMPTS: &[Attempt] = &[
    Attempt {
        name: "the service's environment in the own one",
        script: "env | grep -q canary && echo '=> leaked' || echo '=> none'",
        must: "none",
        bare: "none",
        scope: least,
    },
    Attempt {
        name: "the service's environment in any /proc/*/environ",
        script: "cat /proc/[0-9]*/environ 2>/dev/null | grep -qa canary && echo '=> leaked' \
                 || echo '=> none'",
        must: "none",
        bare: "leaked",
        scope: least,
    },
    Attempt {
        name: "/proc/1/environ",
        script: "cat /proc/1/environ 2>/dev/null | tr -d '\\0' | grep -q . && echo '=> something' \
                 || echo '=> nothing'",
        must: "nothing",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "descriptors of pid 1",
        script: "ls /proc/1/fd 2>/dev/null | grep -q . && echo '=> seen' || echo '=> none'",
        must: "none",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "the root directory of pid 1",
        script: "ls /proc/1/root/ 2>/dev/null | grep -q . && echo '=> seen' || echo '=> none'",
        must: "none",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "processes of the host",
        script: "kill -0 @PID@ 2>/dev/null && echo '=> there' || echo '=> none'",
        must: "none",
        bare: "there",
        scope: least,
    },
    Attempt {
        name: "kill everything there is",
        script: "trap '' TERM; kill -TERM -1 2>/dev/null; echo '=> still here'",
        must: "still here",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "kill pid 1 of the jail",
        script: "kill -KILL 1 2>/dev/null; kill -TERM 1 2>/dev/null; echo '=> still here'",
        must: "still here",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "inherited descriptors",
        script: "n=0; for fd in $(seq 3 64); do [ $fd != 255 ] && [ -e /proc/$$/fd/$fd ] \
                 && n=$((n+1)); done; echo \"=> $n\"",
        must: "0",
        bare: "0",
        scope: least,
    },
    Attempt {
        name: "signals the service ignores",
        script: "echo -n '=> '; exec sed -n 's/SigIgn:.//p' /proc/self/status",
        must: "0000000000000000",
        bare: "0000000000000000",
        scope: least,
    },
    Attempt {
        name: "capabilities",
        script: "echo '=>' $(grep -h -E 'Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/$$/status \
                 | grep -o '[0-9a-f]*$' | sort -u)",
        must: "0000000000000000",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "gain privileges by exec",
        script: "echo '=>' $(grep NoNewPrivs /proc/$$/status)",
        must: "NoNewPrivs: 1",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "no system call filter",
        script: "echo '=>' $(grep Seccomp: /proc/$$/status)",
        must: "Seccomp: 2",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "be root",
        script: "[ $(id -u) -ne 0 ] && echo '=> no' || echo '=> yes'",
        must: "no",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "supplementary groups of the service",
        script: "echo '=>' $(id -G | wc -w)",
        must: "1",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "a core dump",
        script: "ulimit -c unlimited 2>/dev/null; echo '=>' $(ulimit -Hc)",
        must: "0",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "the host's name",
        script: "echo '=>' $(uname -n)",
        must: "ttydrive",
        bare: "",
        scope: least,
    },
];
