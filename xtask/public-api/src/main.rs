//! Prints the public items of a crate, one a line, from the JSON that rustdoc writes.

use public_api::Builder;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let json = std::env::args_os().nth(1).ok_or("usage: counterpoint-public-api FILE")?;
    // They follow from the items themselves.
    let builder = Builder::from_rustdoc_json(json).omit_blanket_impls(true);
    print!("{}", builder.omit_auto_trait_impls(true).build()?);
    Ok(())
}
