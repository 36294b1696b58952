/** Everyday Italian words, which spelling correction leaves unchanged in Italian queries; see plain-words.ts. */
export const ITALIAN = `
uno due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta cento mille mezzo quarto doppio primo secondo ultimo prossimo
metro chilometro litro grammo chilo tonnellata ora minuto giorno settimana mese anno secolo grado lunedì martedì mercoledì giovedì venerdì
sabato domenica gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre primavera estate autunno inverno
mattina mezzogiorno sera notte domani ieri oggi tempo data presto tardi sempre mai spesso adesso

rosso verde blu giallo bianco nero marrone grigio rosa scuro chiaro colore

uomo donna bambino ragazzo ragazza madre padre sorella fratello figlio figlia nonna famiglia amico vicino gente persona nome regina maestro
alunno medico contadino cuoco fornaio giudice cantante giocatore

testa faccia capelli occhio orecchio naso bocca dente lingua collo spalla braccio mano dito petto schiena cuore pancia gamba ginocchio piede
pelle osso sangue corpo voce salute malato dolore febbre tosse medicina ospedale stanco

cane gatto cavallo mucca maiale pecora capra gallina anatra uccello pesce topo coniglio volpe lupo orso leone scimmia elefante serpente rana
ape formica mosca ragno animale nido uovo

albero foglia fiore erba radice legno bosco giardino campo fiume lago mare spiaggia isola collina montagna valle cielo sole luna stella
nuvola pioggia neve ghiaccio vento tempesta nebbia terra sabbia fuoco fumo

pane burro formaggio latte panna zucchero sale pepe miele riso zuppa carne pollo prosciutto mela pera banana limone ciliegia uva pesca prugna
fragola patata pomodoro cipolla carota cavolo fagiolo noce torta cioccolato caffè acqua succo vino birra bottiglia bicchiere piatto cucchiaio
forchetta coltello pentola forno colazione pranzo cena ricetta dolce amaro fresco

casa appartamento camera stanza cucina bagno cantina tetto muro parete pavimento porta finestra scala sedia tavolo letto scaffale armadio
lampada candela specchio tappeto coperta asciugamano sapone chiave serratura scatola borsa cesto secchio corda martello chiodo vite sega
attrezzo cappotto giacca camicia gonna vestito pantaloni scarpa stivale calza cappello guanto sciarpa cintura anello ombrello

città paese strada ponte piazza mercato negozio scuola chiesa stazione aeroporto porto museo biblioteca teatro cinema albergo banca ufficio
posta castello torre confine nord sud est ovest sinistra destra macchina auto autobus treno aereo nave barca bicicletta camion ruota biglietto
passaporto bagaglio viaggio vacanza vacanze mappa affittare comprare vendere pagare costare prezzo economico caro denaro soldi regalo giornale
libro pagina lettera parola storia poesia canzone musica ballo immagine penna carta gioco giocattolo palla bambola

andare venire camminare correre saltare dormire mangiare bere vedere guardare sentire ascoltare parlare dire chiedere rispondere chiamare
ridere piangere leggere scrivere imparare sapere pensare credere dimenticare capire volere amare odiare sperare provare aiutare dare prendere
portare tenere gettare tirare aprire chiudere cominciare finire aspettare restare vivere morire crescere costruire fare rompere tagliare lavare
pulire giocare cantare lavorare cercare trovare perdere cadere mostrare nuotare volare riparare

buono cattivo migliore peggiore grande piccolo lungo corto alto basso largo stretto spesso sottile pesante leggero veloce lento duro morbido
caldo freddo secco bagnato pulito sporco pieno vuoto nuovo vecchio giovane ricco povero forte debole rotondo facile difficile sicuro
pericoloso felice triste arrabbiato gentile furbo stupido famoso bello brutto divertente vero falso morto

gli una del della dei delle nel nella sul sulla con senza per tra fra verso durante prima dopo contro però perché che chi quale quali quando
come dove quanto questo questa quello quella mio tuo suo nostro vostro loro noi voi egli essi sono era essere avere aveva può deve qui anche
molto più meno poco tutto tutti niente qualcosa ogni altro stesso ancora già grazie ciao buongiorno
il lo la le un di da in al ai se ma mi ti si ci io tu lui lei no
`;
