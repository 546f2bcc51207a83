//! The rectangle operations of the VT420: fill, erase and copy.

use super::edit::Spare;
use super::state::State;
use crate::parser::Csi;
use crate::screen::Region;
use crate::slot::Slot;

impl State {
    pub fn rectangle_csi(&mut self, csi: &Csi) {
        match csi.last {
            b'p' => self.report_ansi_mode(csi.raw(0)),
            b'x' => self.fill_rectangle(csi),
            b'z' => self.erase_rectangle(csi, Spare::Nothing),
            b'{' => self.erase_rectangle(csi, Spare::Protected),
            b'v' => self.copy_rectangle(csi),
            // DECRQPSR and DECRQTSR.
            b'w' | b'u' => {
                let name = format!("CSI {} $ {}", csi.raw(0), char::from(csi.last));
                self.replies.unanswered(&name);
            }
            _ => {}
        }
    }

    /// Four parameters from `first` on: top, left, bottom, right.
    pub fn rectangle(&self, csi: &Csi, first: usize) -> Region {
        let origin = self.origin_region();
        let end = |value: u16, start: usize, stop: usize| match value {
            0 => stop,
            n => (start + usize::from(n)).min(stop),
        };
        Region {
            top: origin.top + csi.count(first) - 1,
            left: origin.left + csi.count(first + 1) - 1,
            bottom: end(csi.raw(first + 2), origin.top, origin.bottom),
            right: end(csi.raw(first + 3), origin.left, origin.right),
        }
    }

    /// DECFRA.
    fn fill_rectangle(&mut self, csi: &Csi) {
        let Some(byte) = u8::try_from(csi.raw(0)).ok().filter(|byte| (0x20..=0x7e).contains(byte))
        else {
            return;
        };
        let style = self.pen_style();
        let area = self.rectangle(csi, 1);
        for y in area.top..area.bottom {
            if let Some(line) = self.screen.lines.get_mut(y) {
                line.fill(area.left, area.right, Slot::ascii(byte, style));
            }
        }
    }

    /// DECERA, DECSERA.
    fn erase_rectangle(&mut self, csi: &Csi, spare: Spare) {
        let area = self.rectangle(csi, 0);
        for y in area.top..area.bottom {
            self.erase_cells(y, area.left, area.right, spare);
        }
    }

    /// DECCRA.
    fn copy_rectangle(&mut self, csi: &Csi) {
        let from = self.rectangle(csi, 0);
        let origin = self.origin_region();
        let (top, left) = (origin.top + csi.count(5) - 1, origin.left + csi.count(6) - 1);
        let rows: Vec<Vec<Slot>> = (from.top..from.bottom)
            .filter_map(|y| {
                let line = self.screen.lines.get(y)?;
                let right = from.right.min(line.cols());
                Some(line.cells.get(from.left..right)?.to_vec())
            })
            .collect();
        for (offset, cells) in rows.iter().enumerate() {
            let y = top + offset;
            if y >= origin.bottom {
                break;
            }
            if let Some(line) = self.screen.lines.get_mut(y) {
                line.paste(left, cells, origin.right);
            }
        }
    }
}
