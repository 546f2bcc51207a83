//! Reaching files that are not the session's.

use super::{Attempt, least};

pub const ATTEMPTS: &[Attempt] = &[
    Attempt {
        name: "read a file of the data dir",
        script: "cat @DATA@/secret 2>/dev/null && echo '=> read' || echo '=> none'",
        must: "none",
        bare: "read",
        scope: least,
    },
    Attempt {
        name: "create a file in the data dir",
        script: "(echo x > @DATA@/new) 2>/dev/null && echo '=> made' || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "list the data dir",
        script: "echo '=>' $(ls -A @DATA@)",
        must: "workspace",
        bare: "secret workspace workspace-b",
        scope: least,
    },
    Attempt {
        name: "another agent's workspace",
        script: "cat @DATA@/workspace-b/projects/other 2>/dev/null \
                 && echo '=> read' || echo '=> none'",
        must: "none",
        bare: "read",
        scope: least,
    },
    Attempt {
        name: "a symlink out of the workspace, made inside",
        script: "ln -sfn @DATA@/secret link; cat link 2>/dev/null \
                 && echo '=> read' || echo '=> none'",
        must: "none",
        bare: "read",
        scope: least,
    },
    Attempt {
        name: "a symlink out of the workspace, planted before",
        script: "cat planted 2>/dev/null && echo '=> read' || echo '=> none'",
        must: "none",
        bare: "read",
        scope: least,
    },
    Attempt {
        name: "up from the workspace by ..",
        script: "cat ../../secret 2>/dev/null && echo '=> read' || echo '=> none'",
        must: "none",
        bare: "read",
        scope: least,
    },
    Attempt {
        name: "a file of the home",
        script: "cat @HOME@/private 2>/dev/null && echo '=> read' || echo '=> none'",
        must: "none",
        bare: "read",
        scope: least,
    },
    Attempt {
        name: "/etc/shadow and host keys",
        script: "ls -d /etc/shadow /etc/gshadow /etc/ssh /etc/ssl/private /etc/sudoers \
                 2>/dev/null; \
                 echo \"=> $(ls -d /etc/shadow /etc/ssh /etc/ssl/private 2>/dev/null)\"",
        must: "",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "accounts of the host",
        script: "echo '=>' $(cut -d: -f1 /etc/passwd | grep -cvE '^(root|nobody|ttydrive)$')",
        must: "0",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "write to the system base",
        script: "(echo x > /usr/bin/new-tool) 2>&1 | grep -o 'Read-only' | sed 's/^/=> /'",
        must: "Read-only",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "write to the root",
        script: "(echo x > /new) 2>&1 | grep -o 'Read-only' | sed 's/^/=> /'",
        must: "Read-only",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "write to the program's own file",
        script: "(echo x >> /proc/$$/exe) 2>/dev/null && echo '=> written' || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "a hard link to a file outside",
        script: "ln /etc/hosts here 2>/dev/null && echo '=> linked' || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "shared memory of the host",
        script: "ls @SHM@ 2>/dev/null && echo '=> seen' || echo '=> none'",
        must: "none",
        bare: "seen",
        scope: least,
    },
    Attempt {
        name: "/tmp of the host",
        script: "echo '=>' $(ls -A /tmp | grep -cv jail-test)",
        must: "0",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "take the mask off the data dir",
        script: "umount @DATA@ 2>/dev/null && echo '=> off' || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "take the mask off in a nested user namespace",
        script: "unshare -Urm sh -c 'umount @DATA@ || umount -l @DATA@' 2>/dev/null \
                 && echo '=> off' || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "remount the base writable in a nested user namespace",
        script: "unshare -Urm mount -o remount,rw,bind /usr 2>/dev/null \
                 && echo '=> writable' || echo '=> refused'",
        must: "refused",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "a raw disk",
        script: "ls /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmsg 2>/dev/null; \
                 echo '=>' $(ls /dev | grep -cE '^(vd|sd|nvme|dm-|loop|mem|kmsg|kvm)')",
        must: "0",
        bare: "",
        scope: least,
    },
    Attempt {
        name: "make a device node",
        script: "mknod dev b 254 0 2>/dev/null && echo '=> made' || echo '=> refused'",
        must: "refused",
        bare: "refused",
        scope: least,
    },
    Attempt {
        name: "another session's terminal",
        script: "(echo x > @PTY@) 2>/dev/null && echo '=> written' || echo '=> none'",
        must: "none",
        bare: "written",
        scope: least,
    },
    Attempt {
        name: "/sys",
        script: "ls /sys/kernel 2>/dev/null && echo '=> seen' || echo '=> none'",
        must: "none",
        bare: "seen",
        scope: least,
    },
];
