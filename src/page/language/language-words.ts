/**
 * The words and letters by which languages are detected: the most common short words of each language, and
 * letters that few other languages have.
 *
 * The first twelve languages are those that Gyre names; the rest are listed so that, for example, a page in
 * Danish is not detected as Swedish.
 */

/**
 * The common words of each language in lower case, with accents. An apostrophe ends a word. A word that is listed
 * with its apostrophe counts only before one: `l'` in French, but not the letter L. A word that several languages
 * share counts for each of them, but less.
 */
export const COMMON_WORDS: Record<string, string> = {
  en:
    'the of and to in is that it for was on are with as this be by not have from or at you an which but we they ' +
    'their has were can all there been will would if your more when who what so about these them some into than ' +
    'its only how other any use i my he she his her our do no just then also could because where does did',
  de:
    'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat ' +
    'dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis ' +
    'mehr durch man sein wurde wenn kann ich wir ihr was ohne diese dieser dieses alle unter gegen schon hier',
  fr:
    "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec ou aux d' l' " +
    "mais comme cette son nous vous été sa leur ses on ont être fait je si tout même elle c' n' j' qu' très où donc " +
    'leurs entre sans aussi peut ces deux après elles ils y quand votre notre faire',
  es:
    'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre ' +
    'este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo ' +
    'han yo hay vez puede todos así nos ni parte tiene él uno donde bien tiempo mismo ese ahora cada',
  it:
    'di e il la che in a per un del è non una i le si con da come sono dei alla più nel della ha al lo anche ma gli ' +
    "su o delle se suo questo ad dal questa nella sua o ci ai degli dalla tra era essere stato quando molto l' dell' " +
    'loro hanno fra così cui solo dopo tutti ancora perché ogni dove noi mi ti lei lui io può senza poi prima',
  pt:
    'de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou quando ' +
    'muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse eles você essa ' +
    'num nem suas meu às minha têm numa pelos elas qual nós lhe foi são está ser tem há isto todos onde esta este foram era pode fazer cada',
  nl:
    'de van het een en in is dat op te zijn met voor niet aan er om ook als dan maar bij uit door nog naar heeft ' +
    'wordt worden of tot over hij ze zich had was deze kan meer die geen ik je we wel wat dit hun zo hebben wij zou ' +
    'moet veel haar werd waar alle daar omdat onder zonder tegen hier hoe jaar moeten mensen kunnen u',
  sv:
    'och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år ' +
    'under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra mycket än här ' +
    'då sedan över bara in blir upp även vad dem denna detta sina mellan genom du hur utan varit många hon tills dessa vill måste',
  da: 'og i at det er en til af på for med de den som ikke der har et jeg han om var vi men sig fra så kan når skal også blev være eller ud op efter havde hun ved man nu alle hvor hvad mod bliver været meget mellem kun disse uden mange',
  no: 'og i det er på som en til for av at med de har ikke den om et han men fra vi jeg seg kan så skal ble også etter var eller være ved ut opp hun nå alle hvor hva mot blir vært mye mellom bare disse uten mange noe når',
  fi: 'ja on ei että se oli hän ovat mutta myös kun niin tai kuin joka sen mukaan ole jo voi jos sekä vain sitä ne nyt kanssa hänen tämä siitä jälkeen olla ollut mitä vielä koska minä joita',
  pl: 'w i na z się do nie to że jest o jak a po co od za ale dla są przez tym być tylko lub który która które oraz jego ich już czy może przy było też tego jako ma był tak ze pod bardzo',
  cs: 'a se v na je že o s z do i to k ve pro za by ale si po jako od jsou které který která být jeho také nebo při podle už tak jen však může byl bylo když této není více jsem',
  tr: 've bir bu da de için ile olarak daha çok olan gibi en ne kadar ama sonra o her var mi ya olduğu ise değil ben sen biz ancak veya göre iki tarafından',
  ro: 'și de în a la care cu o pe din nu că se pentru un este mai au sau prin fi ca dar sunt fost lui această acest după ce',
  hu: 'a az és hogy nem is egy ez de meg azt már csak van volt el mint ki ha vagy még kell lesz után amely között minden több',
};

/** Letters that few languages use, each with the languages that use it. */
export const TELLING_LETTERS: Record<string, string> = {
  ß: 'de',
  ñ: 'es',
  '¿': 'es',
  '¡': 'es',
  ã: 'pt',
  õ: 'pt',
  œ: 'fr',
  ç: 'fr pt',
  è: 'fr it',
  ê: 'fr pt',
  ù: 'fr it',
  ì: 'it',
  ò: 'it',
  ä: 'de sv fi',
  ö: 'de sv fi',
  ü: 'de',
  ø: 'da no',
  æ: 'da no',
  å: 'sv da no',
  ł: 'pl',
  ż: 'pl',
  ř: 'cs',
  ů: 'cs',
  ě: 'cs',
  ğ: 'tr',
  ı: 'tr',
  ş: 'tr',
  ț: 'ro',
  ă: 'ro',
  ő: 'hu',
  ű: 'hu',
};
