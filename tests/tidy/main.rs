//! Rules about the source that neither the compiler nor clippy can hold.
//!
//! Each rule is a function from sources to complaints. The first test of a module runs it
//! over the repository; the others feed it sources that break the rule, so that a rule that
//! has gone blind is noticed. What clippy can check is in `.clippy.toml` instead.
//!
//! The one rule that the compiler holds, that a frame is never serialised, is at the end.

mod crates;
mod documents;
mod layout;
mod links;
mod ownership;
mod purity;
mod size;
mod source;
mod words;

/// Compiles only while `term::Frame` has no `Serialize`: with one, two implementations fit
/// and the call is ambiguous.
mod frames_cannot_be_serialised {
    trait AmbiguousIfSerialize<A> {
        fn name() {}
    }
    impl<T: ?Sized> AmbiguousIfSerialize<()> for T {}
    struct Serializes;
    impl<T: ?Sized + serde::Serialize> AmbiguousIfSerialize<Serializes> for T {}

    const _: fn() = || {
        let _ = <term::Frame as AmbiguousIfSerialize<_>>::name;
        let _ = <term::Row as AmbiguousIfSerialize<_>>::name;
        let _ = <term::Cell as AmbiguousIfSerialize<_>>::name;
    };
}
