//! The structures are those of the headers.

use std::fmt::Write;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use pfm3::*;

/// An assertion for the size of a structure, and for the offset of each of these members.
macro_rules! same {
    ($($rust:ident $c:ident { $($member:ident $name:ident),* })*) => {{
        let mut text = String::new();
        $(
            let _ = writeln!(text, "_Static_assert(sizeof({0}) == {1}, \"{0}\");", stringify!($c), size_of::<$rust>());
            $(let _ = writeln!(
                text,
                "_Static_assert(offsetof({0}, {1}) == {2}, \"{0}.{1}\");",
                stringify!($c), stringify!($name), offset_of!($rust, $member),
            );)*
        )*
        text
    }};
}

#[test]
fn structures_are_laid_out_as_in_the_headers() {
    let asserted = same! {
        RegisterMask pfmlib_regmask_t { bits bits }
        Event pfmlib_event_t { event event, plm plm, flags flags, unit_masks unit_masks, num_masks num_masks, reserved reserved }
        Reg pfmlib_reg_t { reg_value reg_value, reg_addr reg_addr, reg_num reg_num, reg_alt_addr reg_alt_addr }
        InputParam pfmlib_input_param_t { pfp_events pfp_events, pfp_unavail_pmcs pfp_unavail_pmcs, reserved reserved }
        OutputParam pfmlib_output_param_t { pfp_pmcs pfp_pmcs, pfp_pmds pfp_pmds, reserved reserved }
        IntelCounter pfmlib_gen_ia32_counter_t { cnt_mask cnt_mask, flags flags }
        P6Input pfmlib_i386_p6_input_param_t { counters pfp_i386_p6_counters, reserved reserved }
        CoreDuoInput pfmlib_coreduo_input_param_t { counters pfp_coreduo_counters, reserved reserved }
        CoreInput pfmlib_core_input_param_t { pebs_used pfp_core_pebs, reserved reserved }
        CoreInput pfmlib_intel_atom_input_param_t { pebs_used pfp_intel_atom_pebs_used, reserved reserved }
        NhmInput pfmlib_nhm_input_param_t { pebs_used pfp_nhm_pebs, lbr_used pfp_nhm_lbr, reserved reserved }
        AmdInput pfmlib_amd64_input_param_t { flags flags, ibsfetch ibsfetch, ibsop ibsop }
        AmdOutput pfmlib_amd64_output_param_t { ibsop_base ibsop_base, reserved reserved }
        CellCounterParam pfmlib_cell_counter_t { spe_subunit spe_subunit, polarity polarity, input_control input_control }
        CellParam pfmlib_cell_input_param_t { triggers triggers, interval interval, control control, counters pfp_cell_counters }
        ItaniumCounter pfmlib_ita_counter_t { thres thres, ism ism }
        ItaniumOpcode pfmlib_ita_opcm_t { pmc_val pmc_val }
        ItaniumEar pfmlib_ita_ear_t { mode ear_mode, ism ear_ism, plm ear_plm, umask ear_umask }
        ItaniumBranches pfmlib_ita_btb_t { tar btb_tar, tac btb_tac, bac btb_bac, tm btb_tm, ptm btb_ptm, ppm btb_ppm, plm btb_plm }
        ItaniumRanges pfmlib_ita_input_rr_t { flags rr_flags, nbr_used rr_nbr_used, limits rr_limits }
        ItaniumRange pfmlib_ita_input_rr_desc_t { plm rr_plm, start rr_start, end rr_end }
        ItaniumInput pfmlib_ita_input_param_t { pmc8 pfp_ita_pmc8, pmc9 pfp_ita_pmc9, iear pfp_ita_iear, dear pfp_ita_dear, btb pfp_ita_btb, drange pfp_ita_drange, irange pfp_ita_irange }
        ItaniumOutput pfmlib_ita_output_param_t { drange pfp_ita_drange, irange pfp_ita_irange }
        OutputRanges pfmlib_ita_output_rr_t { infos rr_infos, br rr_br }
        Itanium2Branches pfmlib_ita2_btb_t { ds btb_ds, tm btb_tm, ptm btb_ptm, ppm btb_ppm, brt btb_brt, plm btb_plm }
        Itanium2Ranges pfmlib_ita2_input_rr_t { flags rr_flags, limits rr_limits, used rr_used }
        Itanium2Range pfmlib_ita2_input_rr_desc_t { plm rr_plm, start rr_start, end rr_end }
        Itanium2Input pfmlib_ita2_input_param_t { pmc8 pfp_ita2_pmc8, pmc9 pfp_ita2_pmc9, iear pfp_ita2_iear, dear pfp_ita2_dear, btb pfp_ita2_btb, drange pfp_ita2_drange, irange pfp_ita2_irange }
        ItaniumOutput pfmlib_ita2_output_param_t { drange pfp_ita2_drange, irange pfp_ita2_irange }
        MontecitoOpcode pfmlib_mont_opcm_t { m opcm_m, i opcm_i, f opcm_f, b opcm_b, matches opcm_match, mask opcm_mask }
        MontecitoEar pfmlib_mont_ear_t { mode ear_mode, plm ear_plm, umask ear_umask }
        MontecitoBranches pfmlib_mont_etb_t { plm etb_plm, tm etb_tm, ptm etb_ptm, ppm etb_ppm, brt etb_brt }
        MontecitoIpEar pfmlib_mont_ipear_t { plm ipear_plm, delay ipear_delay }
        MontecitoInput pfmlib_mont_input_param_t { opcm1 pfp_mont_opcm1, opcm2 pfp_mont_opcm2, iear pfp_mont_iear, dear pfp_mont_dear, etb pfp_mont_etb, ipear pfp_mont_ipear, drange pfp_mont_drange, irange pfp_mont_irange }
        ItaniumOutput pfmlib_mont_output_param_t { drange pfp_mont_drange, irange pfp_mont_irange }
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let headers = std::fs::read_dir(own.join("include/perfmon")).expect("the headers");
    let mut program = String::from("#include <stddef.h>\n");
    for header in headers.flatten() {
        let name = header.file_name().into_string().expect("UTF-8");
        let _ = writeln!(program, "#include <perfmon/{name}>");
    }
    program.push_str(&asserted);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pfm3-layout.c");
    std::fs::write(&file, program).expect("it is written");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    match gcc.arg(format!("-I{}/include", own.display())).arg(&file).output() {
        Err(_) => println!("skipped: needs gcc"),
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
