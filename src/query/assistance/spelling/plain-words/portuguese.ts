/** Everyday Portuguese words, which spelling correction leaves unchanged in Portuguese queries; see plain-words.ts. */
export const PORTUGUESE = `
dois duas três quatro cinco seis sete oito nove dez onze doze vinte trinta cem mil meio quarto dobro primeiro segundo último próximo metro
quilômetro litro grama quilo tonelada hora minuto dia semana mês ano século grau segunda terça quarta quinta sexta sábado domingo janeiro
fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro primavera verão outono inverno manhã tarde noite amanhã
ontem hoje tempo data cedo logo sempre nunca agora

vermelho verde azul amarelo branco preto marrom castanho cinza rosa escuro claro cor

homem mulher criança menino menina bebê mãe pai irmã irmão filho filha avó família amigo vizinho gente pessoa nome rei rainha professor
aluno médico cozinheiro padeiro juiz cantor jogador

cabeça rosto cabelo olho orelha nariz boca dente língua pescoço ombro braço mão dedo peito costas coração barriga perna joelho pé pele osso
sangue corpo voz saúde doente dor febre tosse remédio hospital cansado

cachorro cão gato cavalo vaca porco ovelha cabra galinha pato pássaro peixe rato coelho raposa lobo urso leão macaco elefante cobra sapo
abelha formiga mosca aranha animal ninho ovo

árvore folha flor erva raiz madeira floresta jardim campo rio lago mar praia ilha colina montanha vale céu sol lua estrela nuvem chuva neve
gelo vento tempestade névoa terra areia fogo fumaça

pão manteiga queijo leite creme açúcar sal pimenta mel arroz sopa carne frango presunto maçã pera banana limão cereja uva pêssego ameixa
morango batata tomate cebola cenoura couve feijão noz bolo torta chocolate café chá água suco sumo vinho cerveja garrafa copo prato colher
garfo faca panela forno almoço jantar comida receita doce amargo fresco

casa apartamento quarto cozinha banheiro porão telhado parede chão porta janela escada cadeira mesa cama estante armário lâmpada vela
espelho tapete cobertor toalha sabão chave fechadura caixa saco bolsa cesta balde corda martelo prego parafuso serra ferramenta casaco
camisa saia vestido calça sapato bota meia chapéu luva cachecol cinto anel guarda chuva

cidade aldeia rua ponte praça mercado loja escola igreja estação aeroporto porto museu biblioteca teatro cinema hotel banco escritório
correio castelo torre país fronteira norte sul leste oeste esquerda direita carro ônibus trem comboio avião barco bicicleta caminhão roda
bilhete passaporte bagagem viagem férias mapa alugar comprar vender venda pagar custar preço barato caro dinheiro presente jornal livro
página carta palavra história poema canção música dança imagem caneta papel jogo brinquedo bola boneca esporte

ir vir andar correr pular dormir comer beber ver olhar ouvir cheirar sentir falar dizer perguntar responder chamar rir chorar ler escrever
aprender saber pensar acreditar esquecer entender querer gostar amar odiar esperar tentar ajudar dar pegar levar jogar abrir fechar começar
terminar ficar viver morrer crescer construir fazer quebrar cortar lavar limpar brincar cantar trabalhar procurar encontrar perder cair
mostrar nadar voar consertar

bom boa mau melhor pior grande pequeno longo curto alto baixo largo estreito grosso fino pesado leve rápido lento duro macio quente frio
seco molhado limpo sujo cheio vazio novo velho jovem rico pobre forte fraco redondo fácil difícil seguro perigoso feliz triste zangado
gentil inteligente burro famoso bonito feio engraçado verdadeiro falso morto

uma umas dos das nos nas aos com sem por para entre até desde durante antes depois contra mas porque que quem qual quando como onde quanto
este esta esse essa isso aquele meu minha seu sua nosso nós eles elas você vocês está estão era foi ser estar ter tem pode deve aqui ali
também muito mais menos pouco tudo todos nada algo cada outro mesmo ainda não sim obrigado obrigada olá
um de do da no na em ao os as se me te eu tu ele ela que meu seu já só
`;
