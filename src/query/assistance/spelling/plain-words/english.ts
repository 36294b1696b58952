/**
 * Everyday English words, which spelling correction never changes; see plain-words.ts. Includes units and numbers,
 * because queries for conversions use them.
 */
export const ENGLISH_PLAIN_WORDS = `
one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million billion
half quarter third dozen double single first second last next zero
metre meter kilometre kilometer centimetre centimeter millimetre millimeter inch foot feet yard mile acre hectare litre
liter millilitre gallon pint cup ounce pound kilo kilogram gram tonne ton stone second minute hour day week month year
decade century degree celsius fahrenheit kelvin watt volt joule calorie byte megabyte gigabyte knot mph euro dollar cent
pound penny yen

monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october
november december spring summer autumn winter morning noon evening night midnight today tomorrow yesterday time clock
date early late soon always never often sometimes

red green blue yellow orange purple pink brown black white grey gray gold silver dark light bright pale colour color

man men woman women child children boy girl baby mother father parent sister brother son daughter wife husband family
friend neighbour neighbor people person name king queen president doctor nurse teacher student pupil farmer soldier driver
cook baker lawyer judge artist singer actor player writer author worker boss guest

head face hair eye ear nose mouth tooth teeth tongue neck throat shoulder arm hand finger thumb chest back heart stomach
leg knee foot toe skin bone blood brain body voice health ill sick pain fever cough cold medicine hospital tired asleep

dog cat horse cow pig sheep goat hen duck goose bird fish mouse mice rat rabbit fox wolf wolves bear lion tiger monkey
elephant snake frog bee ant fly spider worm whale animal wing tail nest egg

tree leaf leaves flower grass seed root branch wood forest garden field farm river lake sea ocean beach island hill
mountain valley desert sky sun moon star cloud rain snow ice wind storm weather thunder fog earth sand soil fire smoke

bread butter cheese milk cream sugar salt pepper honey rice soup meat beef pork chicken ham sausage apple pear banana
lemon cherry grape peach plum berry strawberry potato tomato onion carrot cabbage bean pea corn nut cake pie chocolate
coffee tea water juice wine beer bottle glass plate bowl spoon fork knife knives pan pot oven breakfast lunch dinner supper
meal recipe hungry thirsty sweet sour bitter fresh

house home flat room kitchen bedroom bathroom cellar roof wall floor door window stairs garage chair table desk bed sofa
shelf shelves drawer cupboard lamp candle mirror carpet curtain blanket pillow towel soap brush comb key lock bell clock
box bag basket bucket rope hammer nail screw saw drill ladder tool paint needle thread button scissors

coat jacket shirt skirt dress trousers jeans shoe boot sock hat cap glove scarf belt ring watch umbrella clothes wear

town city village street road bridge square park market shop store school church station airport harbour harbor museum
library theatre theater cinema hotel restaurant bank office post prison castle palace tower country state border north
south east west left right

car bus train tram plane ship boat bicycle bike truck taxi wheel engine ticket passport luggage travel journey trip holiday
visit drive ride sail fly map hotel flight

book page letter word story poem song music dance film picture photo camera newspaper magazine pen pencil paper ink radio
television phone telephone computer game toy ball doll card sport football tennis swim race team goal win lose

buy sell pay cost price cheap expensive money coin cash rent borrow lend owe save spend gift present free

go come walk run jump stand sit lie sleep wake eat drink see look watch hear listen smell taste touch feel speak talk say
tell ask answer call shout whisper laugh smile cry read write learn teach know think believe remember forget understand
want need like love hate hope fear try help give take bring carry hold keep put throw catch push pull open close shut
begin start stop end finish wait stay leave arrive return live die born grow build make break cut tear burn wash clean
cook bake play sing work rest fight kill steal hide find lose meet marry follow lead fall rise hang hit kick climb dig
draw choose change turn move show win wear win

good bad better best worse worst great big large small little tiny long short tall high low wide narrow thick thin deep
heavy light fast quick slow hard soft hot warm cool cold dry wet clean dirty full empty new old young rich poor strong
weak loud quiet sharp blunt round flat straight smooth rough easy difficult simple safe dangerous happy sad angry afraid
proud lonely kind rude brave clever stupid lazy busy famous strange beautiful pretty ugly lovely funny true false real
alive dead blind deaf mad

about above across after again against all almost alone along already also although among and any anybody anything are
around away because become been before behind being below between beyond both but can could did does done down during each
either else enough even ever every everybody everything everywhere except far few for from get got had has have her here
hers him his how into its itself just less many may maybe might mine more most much must myself near neither nobody none nor
not nothing now nowhere off once only other our ours out over own perhaps quite rather same shall she should since some
somebody something somewhere still such than that the their them then there these they this those though through till to
together too toward under until upon us very was were what when where whether which while who whole whom whose why will
with within without would yes yet you your yours
`;
