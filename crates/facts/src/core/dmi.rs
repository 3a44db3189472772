//! `dmi`: what the firmware says about the hardware.

use bunraku_pcore::Value;

use crate::fact::{Fact, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "dmi",
    resolve,
    aliases: &[
        ("bios_release_date", "bios.release_date"),
        ("bios_vendor", "bios.vendor"),
        ("bios_version", "bios.version"),
        ("boardassettag", "board.asset_tag"),
        ("boardmanufacturer", "board.manufacturer"),
        ("boardproductname", "board.product"),
        ("boardserialnumber", "board.serial_number"),
        ("chassisassettag", "chassis.asset_tag"),
        ("chassistype", "chassis.type"),
        ("manufacturer", "manufacturer"),
        ("productname", "product.name"),
        ("serialnumber", "product.serial_number"),
        ("uuid", "product.uuid"),
    ],
    legacy: None,
}];

/// The kinds of chassis by their number, from one on.
const CHASSIS: [&str; 32] = [
    "Other",
    "",
    "Desktop",
    "Low Profile Desktop",
    "Pizza Box",
    "Mini Tower",
    "Tower",
    "Portable",
    "Laptop",
    "Notebook",
    "Hand Held",
    "Docking Station",
    "All in One",
    "Sub Notebook",
    "Space-Saving",
    "Lunch Box",
    "Main System Chassis",
    "Expansion Chassis",
    "SubChassis",
    "Bus Expansion Chassis",
    "Peripheral Chassis",
    "Storage Chassis",
    "Rack Mount Chassis",
    "Sealed-Case PC",
    "Multi-system",
    "CompactPCI",
    "AdvancedTCA",
    "Blade",
    "Blade Enclosure",
    "Tablet",
    "Convertible",
    "Detachable",
];

fn resolve(host: &Host<'_>) -> Value {
    let field = |name| Value::from(field(host, name));
    let chassis = super::dmi::field(host, "chassis_type").and_then(|number| {
        let name = CHASSIS.get(number.parse::<usize>().ok()?.checked_sub(1)?)?;
        (!name.is_empty()).then_some(*name)
    });
    structure([
        (
            "bios",
            structure([
                ("release_date", field("bios_date")),
                ("vendor", field("bios_vendor")),
                ("version", field("bios_version")),
            ]),
        ),
        (
            "board",
            structure([
                ("asset_tag", field("board_asset_tag")),
                ("manufacturer", field("board_vendor")),
                ("product", field("board_name")),
                ("serial_number", field("board_serial")),
            ]),
        ),
        ("chassis", structure([("asset_tag", field("chassis_asset_tag")), ("type", chassis.into())])),
        ("manufacturer", field("sys_vendor")),
        (
            "product",
            structure([
                ("name", field("product_name")),
                ("serial_number", field("product_serial")),
                ("uuid", field("product_uuid")),
                ("version", field("product_version")),
            ]),
        ),
    ])
}

/// A field of the firmware's tables.
pub(super) fn field(host: &Host<'_>, name: &str) -> Option<String> {
    host.line(&format!("/sys/class/dmi/id/{name}"))
}
