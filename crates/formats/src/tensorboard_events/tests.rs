use super::*;

#[test]
fn machines_are_parsed_from_file_names() {
    for (name, host) in [
        ("events.out.tfevents.1795225713.vm.30940.0", Some("vm")),
        ("events.out.tfevents.1795225713.ip-10-0-0-1.ec2.internal.30940.0", Some("ip-10-0-0-1.ec2.internal")),
        ("events.out.tfevents.1600000000.host.1234.0.v2", Some("host")),
        ("events.out.tfevents.1600000000.host", Some("host")),
        ("events.out.tfevents.1600000000.host.profile-empty", Some("host.profile-empty")),
        ("events.out.tfevents.1600000000.10.0.0.1.99.0", Some("10.0.0.1")),
        ("events.out.tfevents.1600000000.10.0.0.1", Some("10.0.0.1")),
        ("events.out.tfevents.x.host.1.0", None),
        ("a.tfevents", None),
    ] {
        assert_eq!(parse_machine(name), host, "{name}");
    }
}

#[test]
fn times_are_exact_to_the_nearest_double() {
    assert_eq!(seconds_to_ns(1_795_225_713.149_500_6), Some(1_795_225_713_149_500_608));
    assert_eq!(seconds_to_ns(0.5), Some(500_000_000));
    assert_eq!(seconds_to_ns(-0.25), Some(-250_000_000));
    for seconds in [f64::NAN, f64::INFINITY, 1e300, -9.3e9] {
        assert_eq!(seconds_to_ns(seconds), None);
    }
}
