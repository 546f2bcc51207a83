//! How the listener made inside the jail reaches the proxy outside.
//!
//! The proxy listens on an abstract unix socket with an unguessable name that only the plan
//! holds. The outer stage connects while it is still outside; the inner one sends the
//! listener's descriptor over that connection and closes it.

use std::io::{self, IoSlice, IoSliceMut};
use std::net::TcpListener;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

use nix::sys::socket::{
    ControlMessage, ControlMessageOwned, MsgFlags, UnixAddr, getsockopt, recvmsg, sendmsg, sockopt,
};

pub(super) fn listen() -> io::Result<(String, UnixListener)> {
    let mut random = [0_u8; 16];
    io::Read::read_exact(&mut std::fs::File::open("/dev/urandom")?, &mut random)?;
    let name = format!("ttydrive-egress-{}", hex::encode(random));
    let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
    listener.set_nonblocking(true)?;
    Ok((name, listener))
}

pub(crate) fn connect(name: &str) -> io::Result<OwnedFd> {
    let stream = UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?)?;
    Ok(stream.into())
}

/// From inside: makes the listener of this network namespace and gives it away.
pub(crate) fn hand_over(channel: &OwnedFd) -> io::Result<()> {
    let listener = TcpListener::bind(super::ADDRESS)?;
    let fds = [listener.as_raw_fd()];
    let message = [ControlMessage::ScmRights(&fds)];
    let word = [IoSlice::new(b"l")];
    sendmsg::<UnixAddr>(channel.as_raw_fd(), &word, &message, MsgFlags::empty(), None)?;
    Ok(())
}

/// Whether the one who connected runs as this process's user: the stage, not yet dropped.
pub(super) fn is_own(stream: &UnixStream) -> bool {
    getsockopt(stream, sockopt::PeerCredentials)
        .is_ok_and(|peer| peer.uid() == nix::unistd::Uid::effective().as_raw())
}

/// Takes the listener out of the message that is waiting.
#[allow(unsafe_code)]
pub(super) fn receive(stream: &UnixStream) -> io::Result<TcpListener> {
    let mut word = [0];
    let mut buffers = [IoSliceMut::new(&mut word)];
    let mut space = nix::cmsg_space!([i32; 1]);
    let flags = MsgFlags::MSG_CMSG_CLOEXEC;
    let message = recvmsg::<UnixAddr>(stream.as_raw_fd(), &mut buffers, Some(&mut space), flags)?;
    let fd = message.cmsgs()?.find_map(|control| {
        let ControlMessageOwned::ScmRights(fds) = control else { return None };
        fds.first().copied()
    });
    let fd = fd.ok_or_else(|| io::Error::other("no listener came"))?;
    // SAFETY: the kernel has just put this descriptor into this process for this message; the
    // space holds one, so no other could have come along and be forgotten.
    Ok(TcpListener::from(unsafe { OwnedFd::from_raw_fd(fd) }))
}
