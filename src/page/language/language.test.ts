import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNSEEN_SENTENCES } from './language.fixture.ts';
import { detectLanguage } from './language.ts';

const SENTENCES: Record<string, string[]> = {
  en: [
    'The museum is open every day except Monday, and tickets can be bought at the entrance.',
    'If you have any questions about your order, please write to us and we will answer within two days.',
    'This function returns the number of items that were found in the list.',
    'She walked along the river until it was dark and the lights of the town came on.',
  ],
  de: [
    'Das Museum ist täglich außer montags geöffnet, und Karten gibt es am Eingang.',
    'Wenn Sie Fragen zu Ihrer Bestellung haben, schreiben Sie uns, und wir antworten innerhalb von zwei Tagen.',
    'Diese Funktion gibt die Anzahl der Einträge zurück, die in der Liste gefunden wurden.',
    'Sie ging am Fluss entlang, bis es dunkel war und die Lichter der Stadt angingen.',
  ],
  fr: [
    'Le musée est ouvert tous les jours sauf le lundi, et les billets sont en vente à l’entrée.',
    'Si vous avez des questions sur votre commande, écrivez-nous et nous répondrons dans les deux jours.',
    'Cette fonction renvoie le nombre d’éléments qui ont été trouvés dans la liste.',
    'Elle marchait le long de la rivière jusqu’à ce que la nuit tombe sur la ville.',
  ],
  es: [
    'El museo está abierto todos los días excepto el lunes, y las entradas se compran en la puerta.',
    'Si tiene alguna pregunta sobre su pedido, escríbanos y le responderemos en dos días.',
    'Esta función devuelve el número de elementos que se han encontrado en la lista.',
    'Caminaba por la orilla del río hasta que se hizo de noche y se encendieron las luces.',
  ],
  it: [
    'Il museo è aperto tutti i giorni tranne il lunedì, e i biglietti si comprano all’ingresso.',
    'Se ha domande sul suo ordine, ci scriva e le risponderemo entro due giorni.',
    'Questa funzione restituisce il numero degli elementi che sono stati trovati nella lista.',
    'Camminava lungo il fiume finché non fu buio e si accesero le luci della città.',
  ],
  pt: [
    'O museu está aberto todos os dias, exceto à segunda-feira, e os bilhetes compram-se na entrada.',
    'Se tiver alguma pergunta sobre a sua encomenda, escreva-nos e responderemos em dois dias.',
    'Esta função devolve o número de elementos que foram encontrados na lista.',
    'Ela caminhava ao longo do rio até que ficou escuro e as luzes da cidade se acenderam.',
  ],
  nl: [
    'Het museum is elke dag open behalve op maandag, en kaartjes zijn te koop bij de ingang.',
    'Als u vragen hebt over uw bestelling, schrijf ons dan en wij antwoorden binnen twee dagen.',
    'Deze functie geeft het aantal elementen terug dat in de lijst is gevonden.',
    'Ze liep langs de rivier tot het donker was en de lichten van de stad aangingen.',
  ],
  sv: [
    'Museet är öppet alla dagar utom måndagar, och biljetter finns att köpa vid ingången.',
    'Om du har frågor om din beställning kan du skriva till oss, så svarar vi inom två dagar.',
    'Den här funktionen ger tillbaka det antal element som finns i listan och inte är tomma.',
    'Hon gick längs floden tills det var mörkt och stadens ljus tändes.',
  ],
  ru: [
    'Музей открыт каждый день, кроме понедельника, а билеты можно купить у входа.',
    'Если у вас есть вопросы о заказе, напишите нам, и мы ответим в течение двух дней.',
    'Эта функция возвращает количество элементов, найденных в списке.',
    'Она шла вдоль реки, пока не стемнело и не зажглись огни города.',
  ],
  zh: [
    '博物馆除星期一外每天开放,门票可在入口处购买。',
    '如果您对订单有任何疑问,请写信给我们,我们会在两天内答复。',
  ],
  ja: [
    '博物館は月曜日を除いて毎日開いており、切符は入口で買えます。',
    'この関数は、リストで見つかった要素の数を返します。',
  ],
  ko: [
    '박물관은 월요일을 제외하고 매일 열려 있으며 표는 입구에서 살 수 있습니다.',
    '이 함수는 목록에서 찾은 항목의 수를 돌려줍니다.',
  ],
};

test('one sentence is enough to determine the language', () => {
  const cases = Object.entries(SENTENCES).flatMap(([language, texts]) =>
    texts.map((text) => ({ language, text })),
  );
  const wrong = cases.filter(({ language, text }) => detectLanguage(text).language !== language);
  assert.deepEqual(wrong, []);
});

test('few unseen short sentences are unknown, and none is wrong', () => {
  let told = 0;
  for (const [language, texts] of Object.entries(UNSEEN_SENTENCES)) {
    for (const text of texts) {
      const detected = detectLanguage(text).language;
      assert.ok(detected === language || detected === '', `${detected} for ${language}: ${text}`);
      if (detected === language) told++;
    }
    const { language: joined, isSure } = detectLanguage(texts.join(' '));
    assert.deepEqual({ joined, isSure }, { joined: language, isSure: true });
  }
  assert.ok(told >= 50, `${told} of 60`);
});

test('a text that is too short has no language', () => {
  for (const text of [
    '',
    '42',
    'OK',
    'npm install gyre',
    'foo bar baz',
    'Lorem ipsum dolor sit amet consectetur',
  ]) {
    assert.equal(detectLanguage(text).language, '', text);
  }
});

test('single letters in tables and formulas are no words', () => {
  const letters =
    'C 6 H 12 O 6, L, N, D · A B C D E L N Z · j k l n s v z · K, V: the types of keys and values';
  assert.notEqual(detectLanguage(letters).language, 'fr');
  assert.notEqual(detectLanguage(letters).language, 'cs');
  const map = 'Map<K, V> get(K key) put(K k, V v) K V K V of(K k1, V v1, K k2, V v2)';
  assert.equal(detectLanguage(map).language, '');
});

test('elided words count before an apostrophe', () => {
  const text = 'L’eau d’Annecy n’arrive qu’à midi.';
  assert.equal(detectLanguage(text).language, 'fr');
  assert.equal(detectLanguage(text.replaceAll('’', "'")).language, 'fr');
  assert.equal(detectLanguage(text.replaceAll('’', ', ').replace('qu, à', '')).language, '');
});
