/**
 * The named characters that pages use: all of HTML 4, the letters of Europe, and the newer names for ASCII,
 * punctuation, arrows and signs. HTML defines some 2,000 more, nearly all of them for mathematics; a name that
 * is not listed stays in the text unchanged.
 *
 * Each row of the table is a code point, then the names of this and the following code points; `-` is a code
 * point without a name.
 */

/** Names of character references that need no semicolon, such as `copy`. */
const LEGACY_ROWS: [number, string][] = [
  [0x22, 'quot'],
  [0x26, 'amp'],
  [0x3c, 'lt'],
  [0x3e, 'gt'],
  [0x22, 'QUOT'],
  [0x26, 'AMP'],
  [0x3c, 'LT'],
  [0x3e, 'GT'],
  [0xa9, 'COPY'],
  [0xae, 'REG'],
  [0xa0, 'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr'],
  [0xb0, 'deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest'],
  [0xc0, 'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml'],
  [0xcc, 'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times'],
  [0xd8, 'Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig'],
  [0xe0, 'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml'],
  [0xec, 'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide'],
  [0xf8, 'oslash ugrave uacute ucirc uuml yacute thorn yuml'],
];

const ROWS: [number, string][] = [
  [0x09, 'Tab NewLine'],
  [0x21, 'excl - num dollar percnt - apos lpar rpar ast plus comma - period sol'],
  [0x3a, 'colon semi - equals - quest commat'],
  [0x5b, 'lsqb bsol rsqb Hat lowbar grave'],
  [0x5b, 'lbrack - rbrack'],
  [0x7b, 'lcub verbar rcub'],
  [0x7b, 'lbrace vert rbrace'],
  [0xa0, 'NonBreakingSpace'],
  [0xbd, 'half'],
  [
    0x100,
    'Amacr amacr Abreve abreve Aogon aogon Cacute cacute Ccirc ccirc Cdot cdot Ccaron ccaron Dcaron dcaron',
  ],
  [0x110, 'Dstrok dstrok Emacr emacr - - Edot edot Eogon eogon Ecaron ecaron Gcirc gcirc Gbreve gbreve'],
  [0x120, 'Gdot gdot Gcedil - Hcirc hcirc Hstrok hstrok Itilde itilde Imacr imacr - - Iogon iogon'],
  [
    0x130,
    'Idot imath IJlig ijlig Jcirc jcirc Kcedil kcedil kgreen Lacute lacute Lcedil lcedil Lcaron lcaron',
  ],
  [0x13f, 'Lmidot lmidot Lstrok lstrok Nacute nacute Ncedil ncedil Ncaron ncaron napos ENG eng Omacr omacr'],
  [0x150, 'Odblac odblac OElig oelig Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute Scirc scirc'],
  [0x15e, 'Scedil scedil Scaron scaron Tcedil tcedil Tcaron tcaron Tstrok tstrok Utilde utilde Umacr umacr'],
  [0x16c, 'Ubreve ubreve Uring uring Udblac udblac Uogon uogon Wcirc wcirc Ycirc ycirc'],
  [0x178, 'Yuml Zacute zacute Zdot zdot Zcaron zcaron'],
  [0x192, 'fnof'],
  [0x2c6, 'circ caron'],
  [0x2d8, 'breve dot ring ogon tilde dblac'],
  [0x391, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho'],
  [0x3a3, 'Sigma Tau Upsilon Phi Chi Psi Omega'],
  [0x3b1, 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho'],
  [0x3c2, 'sigmaf sigma tau upsilon phi chi psi omega'],
  [0x3d1, 'thetasym upsih'],
  [0x3d6, 'piv'],
  [0x401, 'IOcy'],
  [0x410, 'Acy Bcy Vcy Gcy Dcy IEcy ZHcy Zcy Icy Jcy Kcy Lcy Mcy Ncy Ocy Pcy Rcy Scy Tcy Ucy Fcy KHcy TScy'],
  [0x427, 'CHcy SHcy SHCHcy HARDcy Ycy SOFTcy Ecy YUcy YAcy'],
  [0x430, 'acy bcy vcy gcy dcy iecy zhcy zcy icy jcy kcy lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy'],
  [0x447, 'chcy shcy shchcy hardcy ycy softcy ecy yucy yacy'],
  [0x451, 'iocy'],
  [0x2002, 'ensp emsp emsp13 emsp14 - numsp puncsp thinsp hairsp ZeroWidthSpace zwnj zwj lrm rlm hyphen'],
  [0x2010, 'dash'],
  [0x2013, 'ndash mdash horbar Verbar - lsquo rsquo sbquo - ldquo rdquo bdquo - dagger Dagger bull'],
  [0x2022, 'bullet'],
  [0x2025, 'nldr hellip'],
  [0x2026, 'mldr'],
  [0x2030, 'permil pertenk prime Prime tprime bprime'],
  [0x2039, 'lsaquo rsaquo'],
  [0x203e, 'oline'],
  [0x2044, 'frasl'],
  [0x2060, 'NoBreak'],
  [0x20ac, 'euro'],
  [0x2105, 'incare'],
  [0x2111, 'image - ell - - numero copysr weierp - - - real - rx - - - trade'],
  [0x2122, 'TRADE'],
  [0x3a9, 'ohm'],
  [0x2127, 'mho'],
  [0x2135, 'alefsym'],
  [0x2153, 'frac13 frac23 frac15 frac25 frac35 frac45 frac16 frac56 frac18 frac38 frac58 frac78'],
  [0x2190, 'larr uarr rarr darr harr varr nwarr nearr searr swarr'],
  [0x21b5, 'crarr'],
  [0x21d0, 'lArr uArr rArr dArr hArr vArr'],
  [0x2200, 'forall comp part exist nexist empty - nabla isin notin - ni'],
  [0x220f, 'prod coprod sum minus mp'],
  [0x2217, 'lowast compfn - radic - - prop infin angrt ang'],
  [0x2223, 'mid nmid par npar and or cap cup int'],
  [0x2234, 'there4 because'],
  [0x223c, 'sim'],
  [0x2245, 'cong - - asymp'],
  [0x2260, 'ne equiv - - le ge'],
  [0x2264, 'leq geq'],
  [0x2282, 'sub sup nsub nsup sube supe'],
  [0x2295, 'oplus - otimes'],
  [0x22a5, 'perp'],
  [0x22c5, 'sdot'],
  [0x22ee, 'vellip ctdot'],
  [0x2308, 'lceil rceil lfloor rfloor'],
  [0x2423, 'blank'],
  [0x25a1, 'squ'],
  [0x25aa, 'squf'],
  [0x25b4, 'utrif utri - - rtrif rtri'],
  [0x25be, 'dtrif dtri - - ltrif ltri'],
  [0x25ca, 'loz cir'],
  [0x2605, 'starf star'],
  [0x260e, 'phone'],
  [0x2640, 'female - male'],
  [0x2660, 'spades - - clubs - hearts diams'],
  [0x2713, 'check - - - cross'],
  [0x27e8, 'lang rang'],
  [0xfb00, 'fflig filig fllig ffilig ffllig'],
];

export const NAMED_CHARACTERS: ReadonlyMap<string, number> = new Map(
  [...LEGACY_ROWS, ...ROWS].flatMap(([first, names]) => expand(first, names)),
);

export const LEGACY_NAMES: ReadonlySet<string> = new Set(
  LEGACY_ROWS.flatMap(([first, names]) => expand(first, names)).map(([name]) => name),
);

export const LONGEST_NAME: number = Math.max(...[...NAMED_CHARACTERS.keys()].map((name) => name.length));

function expand(first: number, names: string): [string, number][] {
  return names
    .split(' ')
    .map((name, index): [string, number] => [name, first + index])
    .filter(([name]) => name !== '-');
}
