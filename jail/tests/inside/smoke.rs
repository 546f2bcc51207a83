use crate::harness::{Place, finish};
use jail::ProgramExit;

#[test]
fn a_program_runs_and_its_output_and_exit_come_back() {
    let place = Place::new();
    let outcome = finish(&place.request("echo hello from $$; exit 7"));
    assert_eq!(outcome.exit, Some(ProgramExit::Code(7)));
    assert!(outcome.output.contains("hello from 2\r\n"), "{:?}", outcome.output);
}
