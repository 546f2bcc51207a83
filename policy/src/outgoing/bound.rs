//! How much fits: rows from the bottom up, the cursor's row first of all.

/// Which rows survive a bound, given what each costs. The row that must stay is paid first;
/// then rows are taken from the bottom until one does not fit.
#[must_use]
pub fn survivors(costs: &[usize], must_stay: Option<usize>, bytes_max: usize) -> Vec<bool> {
    let mut kept = vec![false; costs.len()];
    let mut left = bytes_max;
    if let Some(row) = must_stay
        && let (Some(place), Some(cost)) = (kept.get_mut(row), costs.get(row))
    {
        *place = true;
        left = left.saturating_sub(*cost);
    }
    for (place, cost) in kept.iter_mut().zip(costs).rev() {
        if *place {
            continue;
        }
        if *cost > left {
            break;
        }
        left -= cost;
        *place = true;
    }
    kept
}

/// The longest beginning that fits and ends between characters.
#[must_use]
pub fn head(text: &str, bytes_max: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes_max)).unwrap_or_default()
}

/// The longest end that fits and begins between characters.
#[must_use]
pub fn tail(text: &str, bytes_max: usize) -> &str {
    let from = text.len().saturating_sub(bytes_max);
    text.get(text.ceil_char_boundary(from)..).unwrap_or_default()
}
