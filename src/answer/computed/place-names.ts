/** The German, French and Arabic names of cities in the time zone database. */

type Row = readonly [zone: string, german: string, french: string, arabic: string];

const ROWS: readonly Row[] = [
  ['Africa/Algiers', 'Algier', 'Alger', 'الجزائر'],
  ['Africa/Cairo', 'Kairo', 'Le Caire', 'القاهرة'],
  ['Africa/Casablanca', 'Casablanca', 'Casablanca', 'الدار البيضاء'],
  ['Africa/Johannesburg', 'Johannesburg', 'Johannesburg', 'جوهانسبرغ'],
  ['Africa/Khartoum', 'Khartum', 'Khartoum', 'الخرطوم'],
  ['Africa/Lagos', 'Lagos', 'Lagos', 'لاغوس'],
  ['Africa/Nairobi', 'Nairobi', 'Nairobi', 'نيروبي'],
  ['Africa/Tripoli', 'Tripolis', 'Tripoli', 'طرابلس'],
  ['Africa/Tunis', 'Tunis', 'Tunis', 'تونس'],
  ['America/Chicago', 'Chicago', 'Chicago', 'شيكاغو'],
  ['America/Los_Angeles', 'Los Angeles', 'Los Angeles', 'لوس أنجلوس'],
  ['America/Mexico_City', 'Mexiko-Stadt', 'Mexico', 'مكسيكو'],
  ['America/New_York', 'New York', 'New York', 'نيويورك'],
  ['America/Sao_Paulo', 'São Paulo', 'São Paulo', 'ساو باولو'],
  ['America/Toronto', 'Toronto', 'Toronto', 'تورونتو'],
  ['Asia/Amman', 'Amman', 'Amman', 'عمّان'],
  ['Asia/Baghdad', 'Bagdad', 'Bagdad', 'بغداد'],
  ['Asia/Bangkok', 'Bangkok', 'Bangkok', 'بانكوك'],
  ['Asia/Beirut', 'Beirut', 'Beyrouth', 'بيروت'],
  ['Asia/Damascus', 'Damaskus', 'Damas', 'دمشق'],
  ['Asia/Dubai', 'Dubai', 'Dubaï', 'دبي'],
  ['Asia/Hong_Kong', 'Hongkong', 'Hong Kong', 'هونغ كونغ'],
  ['Asia/Jakarta', 'Jakarta', 'Jakarta', 'جاكرتا'],
  ['Asia/Jerusalem', 'Jerusalem', 'Jérusalem', 'القدس'],
  ['Asia/Karachi', 'Karatschi', 'Karachi', 'كراتشي'],
  ['Asia/Kuwait', 'Kuwait', 'Koweït', 'الكويت'],
  ['Asia/Qatar', 'Katar', 'Qatar', 'قطر'],
  ['Asia/Riyadh', 'Riad', 'Riyad', 'الرياض'],
  ['Asia/Seoul', 'Seoul', 'Séoul', 'سيول'],
  ['Asia/Shanghai', 'Shanghai', 'Shanghai', 'شنغهاي'],
  ['Asia/Singapore', 'Singapur', 'Singapour', 'سنغافورة'],
  ['Asia/Tehran', 'Teheran', 'Téhéran', 'طهران'],
  ['Asia/Tokyo', 'Tokio', 'Tokyo', 'طوكيو'],
  ['Australia/Sydney', 'Sydney', 'Sydney', 'سيدني'],
  ['Europe/Amsterdam', 'Amsterdam', 'Amsterdam', 'أمستردام'],
  ['Europe/Athens', 'Athen', 'Athènes', 'أثينا'],
  ['Europe/Belgrade', 'Belgrad', 'Belgrade', 'بلغراد'],
  ['Europe/Berlin', 'Berlin', 'Berlin', 'برلين'],
  ['Europe/Brussels', 'Brüssel', 'Bruxelles', 'بروكسل'],
  ['Europe/Bucharest', 'Bukarest', 'Bucarest', 'بوخارست'],
  ['Europe/Budapest', 'Budapest', 'Budapest', 'بودابست'],
  ['Europe/Copenhagen', 'Kopenhagen', 'Copenhague', 'كوبنهاغن'],
  ['Europe/Dublin', 'Dublin', 'Dublin', 'دبلن'],
  ['Europe/Helsinki', 'Helsinki', 'Helsinki', 'هلسنكي'],
  ['Europe/Istanbul', 'Istanbul', 'Istanbul', 'إسطنبول'],
  ['Europe/Lisbon', 'Lissabon', 'Lisbonne', 'لشبونة'],
  ['Europe/London', 'London', 'Londres', 'لندن'],
  ['Europe/Luxembourg', 'Luxemburg', 'Luxembourg', 'لوكسمبورغ'],
  ['Europe/Madrid', 'Madrid', 'Madrid', 'مدريد'],
  ['Europe/Moscow', 'Moskau', 'Moscou', 'موسكو'],
  ['Europe/Oslo', 'Oslo', 'Oslo', 'أوسلو'],
  ['Europe/Paris', 'Paris', 'Paris', 'باريس'],
  ['Europe/Prague', 'Prag', 'Prague', 'براغ'],
  ['Europe/Rome', 'Rom', 'Rome', 'روما'],
  ['Europe/Stockholm', 'Stockholm', 'Stockholm', 'ستوكهولم'],
  ['Europe/Vienna', 'Wien', 'Vienne', 'فيينا'],
  ['Europe/Warsaw', 'Warschau', 'Varsovie', 'وارسو'],
  ['Europe/Zurich', 'Zürich', 'Zurich', 'زيورخ'],
];

/** Cities and regions that are not in the names of time zones, each with its time zone. */
export const OTHER_PLACES: Readonly<Record<string, string>> = {
  peking: 'Asia/Shanghai',
  pékin: 'Asia/Shanghai',
  بكين: 'Asia/Shanghai',
  münchen: 'Europe/Berlin',
  köln: 'Europe/Berlin',
  lyon: 'Europe/Paris',
  marseille: 'Europe/Paris',
  montréal: 'America/Toronto',
  caire: 'Africa/Cairo',
  genf: 'Europe/Zurich',
  genève: 'Europe/Zurich',
  mailand: 'Europe/Rome',
  milan: 'Europe/Rome',
  مكة: 'Asia/Riyadh',
  جدة: 'Asia/Riyadh',
  الدوحة: 'Asia/Qatar',
  'أبو ظبي': 'Asia/Dubai',
  kalifornien: 'America/Los_Angeles',
  californie: 'America/Los_Angeles',
};

const COLUMNS = ['de', 'fr', 'ar'];

const byZone = new Map(ROWS.map(([zone, ...names]) => [zone, names]));

/** All names of places, each with its time zone. */
export const PLACE_NAMES: readonly (readonly [name: string, zone: string])[] = ROWS.flatMap(
  ([zone, ...names]) => names.map((name) => [name, zone] as const),
);

/** Returns the name of the city of a time zone in a language; null if the table has none. */
export function placeName(zone: string, language: string): string | null {
  return byZone.get(zone)?.[COLUMNS.indexOf(language)] ?? null;
}
