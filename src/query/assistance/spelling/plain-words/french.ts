/** Everyday French words, which spelling correction leaves unchanged in French queries; see plain-words.ts. */
export const FRENCH = `
deux trois quatre cinq sept huit neuf dix onze douze vingt trente cent mille demi quart double premier première dernier prochain mètre
kilomètre litre gramme kilo livre tonne heure minute seconde jour semaine mois année siècle degré lundi mardi mercredi jeudi vendredi
samedi dimanche janvier février mars avril mai juin juillet août septembre octobre novembre décembre printemps été automne hiver matin
midi soir nuit demain hier aujourd hui temps date tôt tard bientôt toujours jamais souvent parfois maintenant météo

rouge vert bleu jaune blanc noir brun gris rose sombre clair couleur

homme femme enfant garçon fille bébé mère père parent soeur sœur frère fils famille ami amie voisin gens personne nom roi reine
professeur élève médecin fermier cuisinier boulanger juge artiste chanteur joueur invité

tête visage cheveux oeil œil yeux oreille nez bouche dent langue cou épaule bras main doigt poitrine dos coeur cœur ventre jambe genou
pied peau os sang corps voix santé malade douleur fièvre toux médicament hôpital fatigué

chien chat cheval vache cochon mouton chèvre poule canard oie oiseau poisson souris lapin renard loup ours lion singe éléphant serpent
grenouille abeille fourmi mouche araignée animal nid oeuf œuf

arbre feuille fleur herbe racine bois forêt jardin champ rivière lac mer plage île colline montagne vallée ciel soleil lune étoile
nuage pluie neige glace vent orage brouillard terre sable feu fumée

pain beurre fromage lait crème sucre sel poivre miel riz soupe viande boeuf bœuf porc poulet jambon saucisse pomme poire banane citron
cerise raisin pêche prune fraise tomate oignon carotte chou haricot noix gâteau tarte chocolat café thé eau jus vin bière bouteille
verre assiette cuillère fourchette couteau casserole four déjeuner dîner repas recette sucré amer frais

maison appartement chambre cuisine salle bain cave toit mur sol porte fenêtre escalier chaise table lit étagère armoire lampe bougie
miroir tapis rideau couverture serviette savon clé serrure boîte sac panier seau corde marteau clou vis scie échelle outil manteau
veste chemise jupe robe pantalon chaussure botte chaussette chapeau gant écharpe ceinture bague parapluie

ville village rue pont place marché magasin école église gare aéroport port musée bibliothèque théâtre cinéma hôtel banque bureau poste
château tour pays frontière nord sud est ouest gauche droite voiture bus train avion bateau vélo camion roue billet passeport bagage
voyage vacances carte louer acheter vendre vendu vente payer coûter prix cher argent cadeau journal livre page lettre mot histoire poème
chanson musique danse image stylo papier jeu jouet balle poupée sport

aller venir marcher courir sauter dormir manger boire voir regarder entendre écouter sentir parler dire demander répondre appeler rire
pleurer lire écrire apprendre savoir penser croire oublier comprendre vouloir aimer détester espérer essayer aider donner prendre
porter tenir jeter tirer ouvrir fermer commencer finir attendre rester vivre mourir grandir construire faire casser couper laver jouer
chanter travailler chercher trouver perdre tomber montrer nager voler réparer

bon bonne mauvais meilleur grand petit long court haut bas large étroit épais mince lourd léger rapide lent dur doux chaud froid sec
mouillé propre sale plein vide nouveau nouvelle vieux vieille jeune riche pauvre fort faible rond facile difficile sûr dangereux heureux
triste fâché gentil sage bête célèbre beau belle laid drôle vrai faux mort

les des une aux dans sur sous avec sans pour par entre chez vers depuis pendant avant après contre mais donc car que qui quoi dont où
quand comment pourquoi combien quel quelle quels lequel cette ces mon ton son notre votre leur nous vous ils elles lui moi toi est sont
était été être avoir avait ont peut doit fait ici aussi très plus moins beaucoup peu tout tous rien quelque chaque autre même encore déjà
oui non merci bonjour bonsoir salut
le la de et en au ce se sa un du on ne je tu il si ou ma ta
`;
