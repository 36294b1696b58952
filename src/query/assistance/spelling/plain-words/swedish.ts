/** Everyday Swedish words, which spelling correction leaves unchanged in Swedish queries; see plain-words.ts. */
export const SWEDISH = `
ett två tre fyra fem sex sju åtta nio tio elva tolv tjugo trettio hundra tusen halv kvart dubbel första andra tredje sista nästa meter kilometer
liter gram kilo ton timme minut sekund dag vecka månad år århundrade grad måndag tisdag onsdag torsdag fredag lördag söndag januari februari mars
april maj juni juli augusti september oktober november december vår sommar höst vinter morgon middag kväll natt idag imorgon igår tid datum tidig
sen snart alltid aldrig ofta ibland nu

röd grön blå gul vit svart brun grå rosa mörk ljus färg

man kvinna barn pojke flicka mor far mamma pappa föräldrar syster bror son dotter mormor familj vän granne folk människa namn kung drottning lärare
elev läkare bonde kock bagare domare sångare spelare gäst

huvud ansikte hår öga öra näsa mun tand tunga hals axel arm hand finger bröst rygg hjärta mage ben knä fot hud blod kropp röst frisk sjuk smärta
feber hosta medicin sjukhus trött

hund katt häst ko gris får get höna anka gås fågel fisk mus kanin räv varg björn lejon apa elefant orm groda bi myra fluga spindel djur bo ägg

träd blad blomma gräs rot trä skog trädgård fält flod sjö hav strand kulle berg dal himmel sol måne stjärna moln regn snö vind storm väder dimma
jord sand eld rök

bröd smör ost mjölk grädde socker salt peppar honung ris soppa kött korv skinka äpple päron banan citron körsbär druva plommon jordgubbe potatis
tomat lök morot kål böna ärta nöt kaka tårta choklad kaffe vatten saft vin öl flaska glas tallrik sked gaffel kniv gryta ugn frukost lunch middag
recept söt sur färsk baka koka

hus lägenhet rum kök sovrum badrum källare tak vägg golv dörr fönster trappa stol bord säng soffa hylla skåp lampa ljus spegel matta filt handduk tvål
nyckel lås klocka låda väska korg hink rep hammare spik skruv såg stege verktyg rock jacka skjorta kjol klänning byxor sko stövel strumpa hatt mössa
handske halsduk bälte ring paraply

stad by gata bro torg marknad affär butik skola kyrka station flygplats hamn museum bibliotek teater bio hotell bank kontor post slott torn land gräns
norr söder öster väster vänster höger bil buss tåg spårvagn flygplan skepp båt cykel lastbil hjul biljett pass bagage resa semester karta hyra köpa
sälja betala kosta pris billig dyr pengar present tidning bok sida brev ord historia dikt sång musik dans bild penna papper spel leksak boll docka

gå komma springa hoppa stå sitta ligga sova äta dricka se titta höra lyssna känna tala prata säga fråga svara ropa skratta gråta läsa skriva lära veta
tänka tro glömma förstå vilja behöva gilla älska hata hoppas försöka hjälpa ge ta bära hålla kasta dra öppna stänga börja sluta vänta stanna leva dö
växa bygga göra bryta skära tvätta leka spela sjunga arbeta jobba slåss söka hitta finna förlora falla visa simma flyga laga

bra dålig bättre stor liten lång kort hög låg djup bred smal tjock tunn tung lätt snabb långsam hård mjuk het varm sval kall torr våt ren smutsig full
tom ny gammal ung rik fattig stark svag högljudd tyst rund rak enkel svår säker farlig glad ledsen arg snäll smart dum lat känd vacker ful rolig sann
falsk död

och eller men för att om som vem vad när var varför hur vilken vilket vilka den det denna dessa jag han hon vi ni mig dig honom henne oss min din sin
vår inte också bara ännu redan mycket mer få alla allt inget något någon ingen varje här där uppe nere före efter med utan från till under över mellan
bredvid genom mot sedan är var blir har hade kan måste ska får ja nej tack hej
en av på de du vi ni är så ut in upp om min
`;
