//! What to record for the checks without data, in one line.

/// What to do about missing data, by words in the sentence of a check. The first entry with such a word applies.
const REMEDIES: [(&[&str], &str); 9] = [
    (&["`tracelake record` did not record"], "check that `tracelake record` can see the GPU and the loader"),
    (&["there is one"], "record several ranks or GPUs"),
    (&["profile_memory=True"], "record a trace with `profile_memory=True`"),
    (&["LoaderEvaluator"], "measure the loader with `LoaderEvaluator`"),
    (
        &["for longer", "more steps", "more of them", "needs at least", "from the start"],
        "record for longer, from the start",
    ),
    (&["prof.step()", "record.Recorder"], "mark the steps with `prof.step()` or `tracelake.record.Recorder`"),
    (&["`tracelake record`"], "run `tracelake record` next to the job"),
    (
        &["torch.profiler", "ProfilerActivity", "a trace", "s profiler reports"],
        "record a trace with the activities of the CPU and the device",
    ),
    (&["optimize"], "try numbers of workers with `optimize`"),
];

/// Returns a sentence about the checks without data, given their sentences: grouped by what to record, most checks first.
/// None if all had data.
///
/// `27 checks had no data: run `tracelake record` next to the job for 12 of them, record a trace with the activities of the CPU
/// and the device for 9, ...`
pub(super) fn missing_data<'a>(sentences: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut groups: Vec<(&str, usize)> = REMEDIES.iter().map(|(_, remedy)| (*remedy, 0)).collect();
    let (mut all, mut others) = (0, 0);
    for sentence in sentences {
        all += 1;
        let has_word = |(words, _): &(&[&str], &str)| words.iter().any(|word| sentence.contains(word));
        match REMEDIES.iter().position(has_word) {
            Some(position) => groups[position].1 += 1,
            None => others += 1,
        }
    }
    groups.retain(|(_, checks)| *checks > 0);
    groups.sort_by_key(|(_, checks)| std::cmp::Reverse(*checks));
    let mut parts: Vec<String> = groups.iter().map(|(remedy, checks)| format!("{remedy} for {checks}")).collect();
    if let Some(first) = parts.first_mut() {
        first.push_str(" of them");
    }
    if others > 0 && !parts.is_empty() {
        parts.push(format!("see the checks for {others}"));
    }
    let what = if all == 1 { "check" } else { "checks" };
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    (all > 0).then(|| format!("{all} {what} had no data{parts}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_names_what_to_record() {
        let findings = crate::catalog::queries().iter().filter(|query| query.name.starts_with("finding."));
        let mut checked = 0;
        for finding in findings {
            // The sentence may come from a subquery.
            let Some((_, sentence)) = finding.body.split_once(" AS passed") else { panic!("{}", finding.name) };
            // Corrupt profiles are counted by every reader.
            let known = REMEDIES.iter().any(|(words, _)| words.iter().any(|word| sentence.contains(word)));
            assert!(known || finding.name == "finding.evidence_corrupt", "{}: {sentence}", finding.name);
            checked += 1;
        }
        assert!(checked > 40, "{checked}");
    }

    #[test]
    fn groups_are_by_remedy_with_most_checks_first() {
        let sentences = ["needs a trace", "needs GPU; run `tracelake record`", "take a trace", "?"];
        assert_eq!(
            missing_data(sentences.into_iter()).as_deref(),
            Some(
                "4 checks had no data: record a trace with the activities of the CPU and the device for 2 of them, \
                 run `tracelake record` next to the job for 1, see the checks for 1"
            )
        );
        assert_eq!(missing_data(std::iter::empty()), None);
    }
}
