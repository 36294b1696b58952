/** Everyday German words, which spelling correction leaves unchanged in German queries; see plain-words.ts. */
export const GERMAN = `
eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend halb viertel doppelt erste zweite
dritte letzte nächste meter kilometer liter gramm kilo pfund tonne stunde minute sekunde tag woche monat jahr jahrhundert grad
montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober
november dezember frühling sommer herbst winter morgen mittag abend nacht heute gestern übermorgen uhr zeit datum früh spät bald
immer nie oft manchmal jetzt gleich

rot grün blau gelb weiß schwarz braun grau rosa dunkel hell bunt farbe

mann frau kind kinder junge mädchen mutter vater eltern schwester bruder sohn tochter oma opa familie freund nachbar leute mensch
name könig königin lehrer schüler arzt ärztin bauer koch bäcker richter künstler sänger spieler gast

kopf gesicht haar auge ohr nase mund zahn zunge hals schulter arm hand finger brust rücken herz bauch bein knie fuß haut knochen
blut körper stimme gesund krank schmerz fieber husten medizin krankenhaus müde

hund katze pferd kuh schwein schaf ziege huhn ente gans vogel fisch maus hase fuchs wolf bär löwe affe elefant schlange frosch
biene ameise fliege spinne tier nest ei

baum blatt blume gras wurzel holz wald garten feld fluss see meer strand insel hügel berg tal himmel sonne mond stern wolke regen
schnee eis wind sturm wetter nebel erde sand feuer rauch

brot butter käse milch sahne zucker salz pfeffer honig reis suppe fleisch wurst schinken apfel birne banane kirsche traube pflaume
erdbeere kartoffel tomate zwiebel möhre kohl bohne erbse nuss kuchen torte schokolade kaffee tee wasser saft wein bier flasche
glas teller löffel gabel messer topf ofen frühstück mittagessen abendessen rezept süß sauer frisch backen kochen

haus wohnung zimmer küche schlafzimmer bad keller dach wand boden tür fenster treppe stuhl tisch bett sofa regal schrank lampe kerze
spiegel teppich decke handtuch seife schlüssel schloss uhr kiste tasche korb eimer seil hammer nagel schraube säge leiter werkzeug
mantel jacke hemd rock kleid hose schuh stiefel socke hut mütze handschuh schal gürtel ring regenschirm

stadt dorf straße brücke platz markt laden geschäft schule kirche bahnhof flughafen hafen museum bücherei theater kino hotel
gaststätte bank büro post burg turm land grenze norden süden osten westen links rechts auto bus zug straßenbahn flugzeug schiff boot
fahrrad rad fahrkarte reisepass gepäck reise urlaub ferien karte miete mieten kaufen verkaufen bezahlen kosten preis billig teuer
geld geschenk zeitung buch seite brief wort geschichte gedicht lied musik tanz bild stift papier spiel spielzeug ball puppe sport müll

gehen kommen laufen springen stehen sitzen liegen schlafen essen trinken sehen hören riechen fühlen sprechen reden sagen fragen
antworten rufen lachen weinen lesen schreiben lernen lehren wissen denken glauben vergessen verstehen wollen brauchen mögen lieben
hassen hoffen versuchen helfen geben nehmen bringen tragen halten werfen ziehen öffnen schließen anfangen aufhören warten bleiben
leben sterben wachsen bauen machen brechen schneiden waschen putzen spielen singen arbeiten kämpfen finden suchen verlieren fallen
zeigen fahren fliegen schwimmen reparieren

gut schlecht besser groß klein lang kurz hoch tief breit dick dünn schwer leicht schnell langsam hart weich heiß warm kühl kalt
trocken nass sauber schmutzig voll leer neu alt jung reich arm stark schwach laut leise rund gerade einfach schwierig sicher gefährlich
glücklich traurig böse freundlich klug dumm faul berühmt schön hässlich lustig wahr falsch tot

und oder aber denn weil dass wenn als wie wer was wann wo warum welche welcher welches wessen wohin woher der die das den dem des ein
eine einen einem einer ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch mein dein sein unser euer kein nicht auch nur noch
schon sehr mehr viel wenig alle alles nichts etwas jemand niemand jeder hier dort da oben unten vor nach bei mit ohne von aus auf
unter über zwischen neben durch für gegen bis seit während ist sind war waren wird werden hat haben hatte kann können muss müssen soll
darf ja nein bitte danke hallo guten
am an im in zu um ab ob so er es du wo ja da
`;
