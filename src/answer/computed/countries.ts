/**
 * The time zones of countries where all clocks, or nearly all, show the same time. `Intl` provides the names
 * of the countries. Countries with several time zones are left out.
 */
const ZONES: Readonly<Record<string, string>> = {
  ...{ AE: 'Asia/Dubai', AF: 'Asia/Kabul', AL: 'Europe/Tirane', AM: 'Asia/Yerevan', AO: 'Africa/Luanda' },
  ...{ AR: 'America/Argentina/Buenos_Aires', AT: 'Europe/Vienna', AZ: 'Asia/Baku', BA: 'Europe/Sarajevo' },
  ...{
    BD: 'Asia/Dhaka',
    BE: 'Europe/Brussels',
    BG: 'Europe/Sofia',
    BH: 'Asia/Bahrain',
    BO: 'America/La_Paz',
  },
  ...{
    BY: 'Europe/Minsk',
    CH: 'Europe/Zurich',
    CL: 'America/Santiago',
    CM: 'Africa/Douala',
    CN: 'Asia/Shanghai',
  },
  ...{
    CO: 'America/Bogota',
    CR: 'America/Costa_Rica',
    CU: 'America/Havana',
    CY: 'Asia/Nicosia',
    CZ: 'Europe/Prague',
  },
  ...{ DE: 'Europe/Berlin', DK: 'Europe/Copenhagen', DO: 'America/Santo_Domingo', DZ: 'Africa/Algiers' },
  ...{
    EE: 'Europe/Tallinn',
    EG: 'Africa/Cairo',
    ES: 'Europe/Madrid',
    ET: 'Africa/Addis_Ababa',
    FI: 'Europe/Helsinki',
  },
  ...{ FR: 'Europe/Paris', GB: 'Europe/London', GE: 'Asia/Tbilisi', GH: 'Africa/Accra', GR: 'Europe/Athens' },
  ...{
    GT: 'America/Guatemala',
    HK: 'Asia/Hong_Kong',
    HR: 'Europe/Zagreb',
    HU: 'Europe/Budapest',
    IE: 'Europe/Dublin',
  },
  ...{
    IL: 'Asia/Jerusalem',
    IN: 'Asia/Kolkata',
    IQ: 'Asia/Baghdad',
    IR: 'Asia/Tehran',
    IS: 'Atlantic/Reykjavik',
  },
  ...{ IT: 'Europe/Rome', JM: 'America/Jamaica', JO: 'Asia/Amman', JP: 'Asia/Tokyo', KE: 'Africa/Nairobi' },
  ...{ KH: 'Asia/Phnom_Penh', KR: 'Asia/Seoul', KW: 'Asia/Kuwait', LB: 'Asia/Beirut', LK: 'Asia/Colombo' },
  ...{
    LT: 'Europe/Vilnius',
    LU: 'Europe/Luxembourg',
    LV: 'Europe/Riga',
    LY: 'Africa/Tripoli',
    MA: 'Africa/Casablanca',
  },
  ...{
    MD: 'Europe/Chisinau',
    MK: 'Europe/Skopje',
    MM: 'Asia/Yangon',
    MT: 'Europe/Malta',
    MY: 'Asia/Kuala_Lumpur',
  },
  ...{
    NG: 'Africa/Lagos',
    NL: 'Europe/Amsterdam',
    NO: 'Europe/Oslo',
    NP: 'Asia/Kathmandu',
    NZ: 'Pacific/Auckland',
  },
  ...{ OM: 'Asia/Muscat', PA: 'America/Panama', PE: 'America/Lima', PH: 'Asia/Manila', PK: 'Asia/Karachi' },
  ...{
    PL: 'Europe/Warsaw',
    PS: 'Asia/Hebron',
    PT: 'Europe/Lisbon',
    PY: 'America/Asuncion',
    QA: 'Asia/Qatar',
  },
  ...{
    RO: 'Europe/Bucharest',
    RS: 'Europe/Belgrade',
    SA: 'Asia/Riyadh',
    SD: 'Africa/Khartoum',
    SE: 'Europe/Stockholm',
  },
  ...{
    SG: 'Asia/Singapore',
    SI: 'Europe/Ljubljana',
    SK: 'Europe/Bratislava',
    SN: 'Africa/Dakar',
    SY: 'Asia/Damascus',
  },
  ...{
    TH: 'Asia/Bangkok',
    TN: 'Africa/Tunis',
    TR: 'Europe/Istanbul',
    TW: 'Asia/Taipei',
    TZ: 'Africa/Dar_es_Salaam',
  },
  ...{
    UA: 'Europe/Kyiv',
    UG: 'Africa/Kampala',
    UY: 'America/Montevideo',
    UZ: 'Asia/Tashkent',
    VE: 'America/Caracas',
  },
  ...{ VN: 'Asia/Ho_Chi_Minh', YE: 'Asia/Aden', ZA: 'Africa/Johannesburg', ZW: 'Africa/Harare' },
};

/** Returns the names of the countries in the table in the given languages, each with its time zone. */
export function countryNames(languages: readonly string[]): [name: string, zone: string][] {
  return languages.flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    return Object.entries(ZONES).map(([code, zone]): [string, string] => [names.of(code)!, zone]);
  });
}
