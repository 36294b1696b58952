/**
 * Sentences by language that were not used to make the word lists. They test language detection on unseen
 * text.
 */
export const UNSEEN_SENTENCES: Record<string, string[]> = {
  en: [
    'Prices include tax and delivery within the country.',
    'Learn how to set up the server in five easy steps.',
    'Our team has been making furniture by hand for over thirty years.',
    'Breaking news: the government announced new rules for drivers.',
    'What happens when a page cannot be found?',
  ],
  de: [
    'Die Preise enthalten Steuern und Lieferung innerhalb des Landes.',
    'Lernen Sie, wie man den Server in fünf einfachen Schritten einrichtet.',
    'Unser Team fertigt seit über dreißig Jahren Möbel von Hand.',
    'Die Regierung hat neue Regeln für Autofahrer angekündigt.',
    'Was geschieht, wenn eine Seite nicht gefunden wird?',
  ],
  fr: [
    'Les prix comprennent les taxes et la livraison dans le pays.',
    'Apprenez à installer le serveur en cinq étapes simples.',
    'Notre équipe fabrique des meubles à la main depuis plus de trente ans.',
    'Le gouvernement a annoncé de nouvelles règles pour les conducteurs.',
    'Que se passe-t-il quand une page est introuvable ?',
  ],
  es: [
    'Los precios incluyen impuestos y entrega dentro del país.',
    'Aprenda a configurar el servidor en cinco pasos sencillos.',
    'Nuestro equipo fabrica muebles a mano desde hace más de treinta años.',
    'El gobierno anunció nuevas normas para los conductores.',
    '¿Qué ocurre cuando no se encuentra una página?',
  ],
  it: [
    'I prezzi comprendono le tasse e la consegna nel paese.',
    'Impara a configurare il server in cinque semplici passi.',
    'La nostra squadra costruisce mobili a mano da oltre trenta anni.',
    'Il governo ha annunciato nuove regole per gli automobilisti.',
    'Che cosa succede quando una pagina non si trova?',
  ],
  pt: [
    'Os preços incluem impostos e entrega dentro do país.',
    'Aprenda a configurar o servidor em cinco passos simples.',
    'A nossa equipa faz móveis à mão há mais de trinta anos.',
    'O governo anunciou novas regras para os condutores.',
    'O que acontece quando uma página não é encontrada?',
  ],
  nl: [
    'De prijzen zijn inclusief belasting en levering binnen het land.',
    'Leer hoe je de server in vijf eenvoudige stappen instelt.',
    'Ons team maakt al meer dan dertig jaar meubels met de hand.',
    'De regering heeft nieuwe regels voor bestuurders aangekondigd.',
    'Wat gebeurt er als een pagina niet wordt gevonden?',
  ],
  sv: [
    'Priserna inkluderar skatt och leverans inom landet.',
    'Lär dig hur du ställer in servern i fem enkla steg.',
    'Vårt team har gjort möbler för hand i över trettio år.',
    'Regeringen har meddelat nya regler för förare.',
    'Vad händer när en sida inte kan hittas?',
  ],
  ru: [
    'Цены включают налоги и доставку по стране.',
    'Узнайте, как настроить сервер за пять простых шагов.',
    'Наша команда более тридцати лет делает мебель вручную.',
    'Правительство объявило новые правила для водителей.',
    'Что происходит, когда страница не найдена?',
  ],
  zh: [
    '价格包括税费和国内运费。',
    '了解如何通过五个简单步骤设置服务器。',
    '我们的团队三十多年来一直手工制作家具。',
    '政府宣布了针对司机的新规定。',
    '找不到页面时会发生什么?',
  ],
  ja: [
    '価格には税金と国内配送料が含まれています。',
    '五つの簡単な手順でサーバーを設定する方法を学びましょう。',
    '私たちのチームは三十年以上手作りで家具を作っています。',
    '政府は運転者向けの新しい規則を発表した。',
    'ページが見つからないとどうなりますか。',
  ],
  ko: [
    '가격에는 세금과 국내 배송비가 포함되어 있습니다.',
    '다섯 단계로 서버를 설정하는 방법을 알아보세요.',
    '우리 팀은 삼십 년 넘게 손으로 가구를 만들어 왔습니다.',
    '정부는 운전자를 위한 새 규칙을 발표했습니다.',
    '페이지를 찾을 수 없으면 어떻게 됩니까?',
  ],
};
