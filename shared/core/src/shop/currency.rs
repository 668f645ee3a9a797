//! Currencies, by ISO 4217.

/// Of those in use: all but the ones below have hundredths.
const CODES: &str = "\
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC \
    CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR \
    ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK \
    MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE \
    SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF \
    XPF YER ZAR ZMW ZWG";
const WITHOUT_MINOR_UNITS: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const WITH_THOUSANDTHS: &str = "BHD IQD JOD KWD LYD OMR TND";

/// How many decimals amounts of this currency have: 2 for `EUR`, 0 for `JPY`; nothing where there is no such currency.
#[must_use]
pub fn minor_digits(code: &str) -> Option<u8> {
    let is_among = |codes: &str| codes.split(' ').any(|other| other == code);
    if !is_among(CODES) {
        None
    } else if is_among(WITHOUT_MINOR_UNITS) {
        Some(0)
    } else if is_among(WITH_THOUSANDTHS) {
        Some(3)
    } else {
        Some(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_currency_has_its_decimals() {
        for (code, expected) in [
            ("EUR", Some(2)),
            ("MXN", Some(2)),
            ("CLP", Some(0)),
            ("TND", Some(3)),
            ("XPF", Some(0)),
            ("AED", Some(2)),
            ("ZWG", Some(2)),
            ("eur", None),
            ("EURO", None),
            ("ESP", None),
            ("", None),
            ("EUR USD", None),
        ] {
            assert_eq!(minor_digits(code), expected, "{code}");
        }
        for code in CODES.split(' ') {
            assert_eq!(code.len(), 3, "{code}");
        }
        for code in [WITHOUT_MINOR_UNITS, WITH_THOUSANDTHS].join(" ").split(' ') {
            assert_ne!(minor_digits(code), Some(2), "{code}");
        }
    }
}
