//! System calls and switches of the kernel.

use super::{Attempt, least};

/// Calls by number, so that no library hides what the kernel says.
macro_rules! call {
    ($number:expr, $args:expr) => {
        concat!(
            "/usr/bin/python3 -c '\nimport ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\n\
             n = {\"x86_64\": 0, \"aarch64\": 1}[os.uname().machine]\n\
             number = (",
            $number,
            ")[n]\n\
             r = -1 if number < 0 else c.syscall(ctypes.c_long(number), ",
            $args,
            ")\n\
             print(\"=>\", os.strerror(ctypes.get_errno()) if r < 0 else \"worked\")\n'"
        )
    };
}

macro_rules! refused {
    ($name:expr, $number:expr, $args:expr) => {
        Attempt {
            name: $name,
            script: call!($number, $args),
            must: "Operation not permitted",
            bare: "",
            scope: least,
        }
    };
}

pub const ATTEMPTS: &[Attempt] = &[
    refused!("push bytes into the terminal (TIOCSTI)", "16, 29", "0, 0x5412, b\"x\""),
    refused!(
        "the same with bits the kernel ignores",
        "16, 29",
        "0, ctypes.c_ulong(0x100005412), b\"x\""
    ),
    refused!("control the console (TIOCLINUX)", "16, 29", "0, 0x541C, b\"\\2\""),
    refused!("ptrace", "101, 117", "0, 0, 0, 0"),
    refused!("read another process's memory", "310, 270", "1, 0, 0, 0, 0, 0"),
    refused!("kernel keyrings: keyctl", "250, 219", "0, -3, 0"),
    refused!("kernel keyrings: add_key", "248, 217", "b\"user\", b\"a\", b\"b\", 1, -3"),
    refused!("kernel keyrings: request_key", "249, 218", "b\"user\", b\"a\", 0, -3"),
    refused!("bpf", "321, 280", "0, 0, 0"),
    refused!("perf_event_open", "298, 241", "0, 0, 0, 0, 0"),
    refused!("userfaultfd", "323, 282", "0"),
    refused!("load a module", "313, 273", "0, b\"\", 0"),
    refused!("replace the kernel", "246, 104", "0, 0, 0, 0"),
    refused!("open a file by handle", "304, 265", "0, b\"\\0\"*16, 0"),
    Attempt {
        name: "io_uring, which passes filters",
        script: call!("425, 425", "1, b\"\\0\"*120"),
        must: "Function not implemented",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "the x32 numbers of the same calls",
        script: call!("0x40000000 + 521, -1", "0, 0, 0, 0"),
        must: if cfg!(target_arch = "x86_64") { "Function not implemented" } else { "Success" },
        bare: "",
        scope: least,
    },
    Attempt {
        name: "kernel switches",
        script: "(echo x > /proc/sys/kernel/core_pattern) 2>/dev/null && echo '=> written' \
                 || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "magic SysRq",
        script: "(echo h > /proc/sysrq-trigger) 2>/dev/null && echo '=> written' \
                 || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "the host's kernel log",
        script: "dmesg 2>/dev/null | grep -q . && echo '=> read' || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "set the clock",
        script: "date -s 2001-01-01 >/dev/null 2>&1 && echo '=> set' || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
];
