//! Pseudo-random noise like that of runs on a shared machine, the same in every test run.

pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn new(seed: u64) -> Noise {
        Noise(seed)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// With mean 0 and standard deviation 1.
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// The noise that lasts longer than one run.
pub(crate) struct Drift {
    level: f64,
    memory: f64,
}

impl Drift {
    /// `memory` is the correlation of neighbours.
    pub(crate) fn new(noise: &mut Noise, memory: f64) -> Drift {
        Drift { level: noise.normal(), memory }
    }

    pub(crate) fn next(&mut self, noise: &mut Noise) -> f64 {
        let innovation = (1.0 - self.memory.powi(2)).sqrt();
        self.level = self.memory * self.level + innovation * noise.normal();
        self.level
    }
}
