//! Every road of the network, without any.

use super::{Attempt, least};

macro_rules! python {
    ($code:expr) => {
        concat!(
            "/usr/bin/python3 -c '\nimport socket, os\ntry:\n",
            $code,
            "\n  print(\"=> reached\")\nexcept OSError as error:\n  \
             print(\"=>\", os.strerror(error.errno))\n'"
        )
    };
}

pub const ATTEMPTS: &[Attempt] = &[
    Attempt {
        name: "TCP to a server of the host",
        script: python!("  socket.create_connection((\"127.0.0.1\", @PORT@), 5)"),
        must: "Connection refused",
        bare: "reached",
        scope: least,
    },
    Attempt {
        name: "TCP without any tool",
        script: "(exec 5<>/dev/tcp/127.0.0.1/@PORT@) 2>/dev/null && echo '=> reached' \
                 || echo '=> refused'",
        must: "refused",
        bare: "reached",
        scope: least,
    },
    Attempt {
        name: "IPv6",
        script: python!("  socket.create_connection((\"::1\", @PORT6@), 5)"),
        must: "Connection refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "TCP to an address outside",
        script: python!("  socket.create_connection((\"192.0.2.1\", 443), 5)"),
        must: "Network is unreachable",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "DNS by UDP",
        script: python!(
            "  s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n  \
                         s.sendto(b\"x\", (\"192.0.2.1\", 53))"
        ),
        must: "Network is unreachable",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "interfaces but the loopback",
        script: "echo '=>' $(tail -n +3 /proc/net/dev | grep -cv '^ *lo:')",
        must: "0",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "a unix socket in the workspace",
        script: python!("  socket.socket(socket.AF_UNIX).connect(\"planted.sock\")"),
        must: "Operation not permitted",
        bare: "reached",
        scope: least,
    },
    Attempt {
        name: "an abstract unix socket of the host",
        script: python!("  socket.socket(socket.AF_UNIX).connect(\"\\0ttydrive-test-@PID@\")"),
        must: "Operation not permitted",
        bare: "reached",
        scope: least,
    },
    Attempt {
        name: "the hypervisor by vsock",
        script: python!("  socket.socket(40, socket.SOCK_STREAM)"),
        must: "Operation not permitted",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "raw packets",
        script: python!("  socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"),
        must: "Operation not permitted",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "raw IP",
        script: python!("  socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"),
        must: "Operation not permitted",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "a socket pair, which must work",
        script: python!("  a, b = socket.socketpair(); a.send(b\"x\"); b.recv(1)"),
        must: "reached",
        bare: "reached",
        scope: least,
    },
];
