/** Everyday Dutch words, which spelling correction leaves unchanged in Dutch queries; see plain-words.ts. */
export const DUTCH = `
een twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig honderd duizend half kwart dubbel eerste tweede derde laatste
volgende meter kilometer liter gram kilo pond ton uur minuut seconde dag week maand jaar eeuw graad maandag dinsdag woensdag donderdag vrijdag
zaterdag zondag januari februari maart april mei juni juli augustus september oktober november december lente zomer herfst winter morgen ochtend
middag avond nacht vandaag gisteren tijd datum vroeg laat gauw altijd nooit vaak soms nu

rood groen blauw geel wit zwart bruin grijs roze donker licht kleur

man vrouw kind kinderen jongen meisje moeder vader ouders zus broer zoon dochter oma opa familie vriend buurman mensen mens naam koning koningin
leraar leerling dokter arts boer kok bakker rechter zanger speler gast

hoofd gezicht haar oog oor neus mond tand tong nek schouder arm hand vinger borst rug hart buik been knie voet huid bot bloed lichaam stem
gezond ziek pijn koorts hoest medicijn ziekenhuis moe

hond kat paard koe varken schaap geit kip eend gans vogel vis muis konijn vos wolf beer leeuw aap olifant slang kikker bij mier vlieg spin dier
nest ei

boom blad bloem bloemen gras wortel hout bos tuin veld rivier meer zee strand eiland heuvel berg dal hemel zon maan ster wolk regen sneeuw ijs
wind storm weer mist aarde zand vuur rook

brood boter kaas melk room suiker zout peper honing rijst soep vlees worst ham appel peer banaan citroen kers druif pruim aardbei aardappel tomaat
ui wortel kool boon erwt noot taart koek chocolade koffie thee water sap wijn bier fles glas bord lepel vork mes pan pot oven ontbijt lunch
avondeten recept zoet zuur vers bakken koken

huis woning kamer keuken slaapkamer badkamer kelder dak muur vloer deur raam trap stoel tafel bed bank plank kast lamp kaars spiegel tapijt deken
handdoek zeep sleutel slot klok doos tas mand emmer touw hamer spijker schroef zaag ladder gereedschap jas hemd rok jurk broek schoen laars sok
hoed pet handschoen sjaal riem ring paraplu

stad dorp straat brug plein markt winkel school kerk station vliegveld haven museum bibliotheek theater bioscoop hotel kantoor post kasteel
toren land grens noord zuid oost west links rechts auto bus trein tram vliegtuig schip boot fiets vrachtwagen wiel kaartje paspoort bagage reis
vakantie kaart huren huur kopen verkopen betalen kosten prijs goedkoop duur geld cadeau krant boek bladzijde brief woord verhaal gedicht lied
liedje muziek dans beeld pen papier spel speelgoed bal pop

gaan komen lopen rennen springen staan zitten liggen slapen eten drinken zien kijken horen luisteren ruiken voelen spreken praten zeggen vragen
antwoorden roepen lachen huilen lezen schrijven leren weten denken geloven vergeten begrijpen willen nodig houden haten hopen proberen helpen geven
nemen brengen dragen gooien trekken openen sluiten beginnen stoppen wachten blijven leven sterven groeien bouwen maken breken snijden wassen spelen
zingen werken vechten zoeken vinden verliezen vallen tonen zwemmen vliegen

goed slecht beter groot klein lang kort hoog laag diep breed smal dik dun zwaar snel langzaam hard zacht heet warm koel koud droog nat schoon vuil
vol leeg nieuw oud jong rijk arm sterk zwak luid stil rond recht makkelijk moeilijk veilig gevaarlijk blij verdrietig boos aardig slim dom lui
beroemd mooi lelijk grappig waar vals dood

het den der dat dit deze die van voor met zonder uit naar bij onder over tussen naast door tegen tot sinds tijdens maar want omdat als wie wat
wanneer waar waarom hoe welke ik jij hij zij wij jullie mij jou hem haar ons mijn jouw zijn onze hun geen niet ook nog alleen zeer heel meer veel
weinig alle alles niets iets iemand niemand elk hier daar is waren was wordt worden heeft hebben had kan kunnen moet moeten zal mag ja nee
dank hallo goedemorgen
de te om op in er aan je we ze is af toe zo
`;
