//! Integer literals that do not fit 64 bits: they are shown, but never computed with.

use ecow::EcoString;

use super::Radix;

/// An integer literal beyond 64 bits.
#[derive(Debug, Clone)]
pub struct BigInteger {
    /// Its digits in its own base, without a prefix.
    pub digits: EcoString,
    /// The base it was written in.
    pub radix: Radix,
}

impl BigInteger {
    /// The number in decimal digits.
    pub fn to_decimal(&self) -> EcoString {
        self.in_base(10)
    }

    /// The number in hexadecimal digits.
    pub fn to_hexadecimal(&self) -> EcoString {
        self.in_base(16)
    }

    /// The digits in another base; numbers of absurd length keep their own.
    fn in_base(&self, base: u32) -> EcoString {
        const MAX_DIGITS: usize = 5000;
        let digits = self.digits.trim_start_matches('0');
        if base == self.radix.base() || digits.len() > MAX_DIGITS {
            return digits.to_ascii_lowercase().into();
        }
        // The digits of the result, the last first.
        let mut result: Vec<u32> = Vec::new();
        for digit in digits.chars().filter_map(|digit| digit.to_digit(16)) {
            let mut carry = digit;
            for place in &mut result {
                let value = *place * self.radix.base() + carry;
                *place = value % base;
                carry = value / base;
            }
            while carry > 0 {
                result.push(carry % base);
                carry /= base;
            }
        }
        result.iter().rev().filter_map(|&digit| char::from_digit(digit, base)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_bases() {
        let big = BigInteger { digits: "9223372036854775808".into(), radix: Radix::Decimal };
        assert_eq!(big.to_hexadecimal(), "8000000000000000");
        let big = BigInteger { digits: "8000000000000000".into(), radix: Radix::Hexadecimal };
        assert_eq!(big.to_decimal(), "9223372036854775808");
    }
}
