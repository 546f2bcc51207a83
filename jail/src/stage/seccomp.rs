//! The system call filter: a short list of refusals, each with its reason, over a default of
//! "allowed". The mounts and namespaces are the wall; this is the second one.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};

use super::internal;
use crate::JailError;

/// Refused with EPERM whatever the arguments.
const REFUSED: &[(i64, &str)] = &[
    (libc::SYS_ptrace, "reading and steering another process"),
    (libc::SYS_process_vm_readv, "the same without ptrace"),
    (libc::SYS_process_vm_writev, "the same without ptrace"),
    (libc::SYS_kcmp, "tells about another process's kernel objects"),
    (libc::SYS_keyctl, "kernel keyrings are not in any namespace"),
    (libc::SYS_add_key, "kernel keyrings are not in any namespace"),
    (libc::SYS_request_key, "kernel keyrings are not in any namespace"),
    (libc::SYS_bpf, "loads code into the kernel"),
    (libc::SYS_perf_event_open, "samples other processes; large attack surface"),
    (libc::SYS_userfaultfd, "makes kernel races easy to win"),
    (libc::SYS_kexec_load, "replaces the kernel"),
    (libc::SYS_kexec_file_load, "replaces the kernel"),
    (libc::SYS_init_module, "loads code into the kernel"),
    (libc::SYS_finit_module, "loads code into the kernel"),
    (libc::SYS_delete_module, "unloads code of the kernel"),
    (libc::SYS_open_by_handle_at, "opens files by number, past every mount"),
    (libc::SYS_syslog, "the host's kernel log"),
];

/// Refused as if the kernel did not have them: programs then take their other road. An
/// io_uring makes sockets and opens files without passing this filter.
const ABSENT: &[i64] =
    &[libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Push bytes into a terminal's input, or control the console's. The kernel looks at the low
/// 32 bits only, and so does the filter.
const REFUSED_IOCTLS: &[u64] = &[libc::TIOCSTI, libc::TIOCLINUX];

/// Two filters, as each has one errno.
pub(super) fn filters(unix_sockets: bool) -> Result<[BpfProgram; 2], JailError> {
    let failed = |error: seccompiler::BackendError| internal("system call filter", error);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|(number, _)| (*number, Vec::new())).collect();
    let ioctls = REFUSED_IOCTLS.iter().map(|request| argument(1, *request));
    rules.insert(libc::SYS_ioctl, ioctls.collect::<Result<_, _>>().map_err(failed)?);
    if !unix_sockets {
        rules.insert(libc::SYS_socket, vec![other_families().map_err(failed)?]);
    }
    let absent = ABSENT.iter().map(|number| (*number, Vec::new())).collect();
    let refused = compile(rules, libc::EPERM).map_err(failed)?;
    let absent = compile(absent, libc::ENOSYS).map_err(failed)?;
    Ok([without_x32(refused), absent])
}

/// Without the host's network: only families that a network namespace confines. Unix sockets
/// reach whatever a bound directory holds, vsock reaches the hypervisor. `socketpair` stays:
/// it reaches nobody but its maker.
fn other_families() -> Result<SeccompRule, seccompiler::BackendError> {
    let not = |family: libc::c_int| {
        let (compare, value) = (SeccompCmpOp::Ne, family.cast_unsigned().into());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, compare, value)
    };
    SeccompRule::new(vec![not(libc::AF_INET)?, not(libc::AF_INET6)?, not(libc::AF_NETLINK)?])
}

fn argument(index: u8, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    let equal = SeccompCondition::new(index, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)?;
    SeccompRule::new(vec![equal])
}

fn compile(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    errno: i32,
) -> Result<BpfProgram, seccompiler::BackendError> {
    SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(errno.cast_unsigned()),
        std::env::consts::ARCH.try_into()?,
    )?
    .try_into()
}

/// The second calling convention of x86-64 has other numbers for the same calls.
fn without_x32(program: BpfProgram) -> BpfProgram {
    if !cfg!(target_arch = "x86_64") {
        return program;
    }
    const X32_BIT: u32 = 0x4000_0000;
    let code = |class: u32| u16::try_from(class).unwrap_or(0);
    let refuse = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let at_least = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
    let mut whole = vec![
        // seccomp_data.nr is at offset 0.
        sock_filter { code: code(load), jt: 0, jf: 0, k: 0 },
        sock_filter { code: code(at_least), jt: 0, jf: 1, k: X32_BIT },
        sock_filter { code: code(libc::BPF_RET | libc::BPF_K), jt: 0, jf: 0, k: refuse },
    ];
    whole.extend(program);
    whole
}

pub(super) fn apply(unix_sockets: bool) -> Result<(), JailError> {
    for program in filters(unix_sockets)? {
        seccompiler::apply_filter(&program).map_err(|error| internal("seccomp", error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::filters;

    #[test]
    fn filters_compile_and_fit() {
        for unix_sockets in [false, true] {
            for program in filters(unix_sockets).unwrap() {
                assert!(!program.is_empty() && program.len() < 4096);
            }
        }
    }
}
