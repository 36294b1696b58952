/** Everyday Spanish words, which spelling correction leaves unchanged in Spanish queries; see plain-words.ts. */
export const SPANISH = `
uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien mil medio cuarto doble primero segundo último próximo
metro kilómetro litro gramo kilo tonelada hora minuto día semana mes año siglo grado lunes martes miércoles jueves viernes sábado domingo
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre primavera verano otoño invierno mañana mediodía
tarde noche ayer hoy tiempo fecha pronto siempre nunca ahora

rojo verde azul amarillo blanco negro marrón gris rosa oscuro claro color

hombre mujer niño niña bebé madre padre hermana hermano hijo hija abuela familia amigo vecino gente persona nombre rey reina maestro
alumno médico granjero cocinero panadero juez cantante jugador

cabeza cara pelo ojo oreja nariz boca diente lengua cuello hombro brazo mano dedo pecho espalda corazón pierna rodilla pie piel hueso
sangre cuerpo voz salud enfermo dolor fiebre tos medicina hospital cansado

perro gato caballo vaca cerdo oveja cabra gallina pato pájaro pez ratón conejo zorro lobo oso león mono elefante serpiente rana abeja
hormiga mosca araña animal nido huevo

árbol hoja flor hierba raíz madera bosque jardín campo río lago mar playa isla colina montaña valle cielo sol luna estrella nube lluvia
nieve hielo viento tormenta niebla tierra arena fuego humo

pan mantequilla queso leche nata azúcar sal pimienta miel arroz sopa carne cerdo pollo jamón manzana pera plátano limón cereza uva
melocotón ciruela fresa patata tomate cebolla zanahoria col judía nuez pastel tarta chocolate café té agua jugo zumo vino cerveza botella
vaso plato cuchara tenedor cuchillo olla horno desayuno almuerzo cena comida receta dulce amargo fresco

casa piso habitación cocina dormitorio baño sótano techo pared suelo puerta ventana escalera silla mesa cama estante armario lámpara vela
espejo alfombra manta toalla jabón llave cerradura caja bolsa cesta cubo cuerda martillo clavo tornillo sierra herramienta abrigo chaqueta
camisa falda vestido pantalón zapato bota calcetín sombrero guante bufanda cinturón anillo paraguas

ciudad pueblo calle puente plaza mercado tienda escuela iglesia estación aeropuerto puerto museo biblioteca teatro cine hotel banco oficina
correo castillo torre país frontera norte sur este oeste izquierda derecha coche carro autobús tren avión barco bicicleta camión rueda
billete pasaporte equipaje viaje vacaciones mapa alquilar comprar vender venta pagar costar precio barato caro dinero regalo periódico
libro página carta palabra historia poema canción música baile imagen lápiz papel juego juguete pelota muñeca deporte

ir venir andar correr saltar dormir comer beber ver mirar oír escuchar oler sentir hablar decir preguntar responder llamar reír llorar
leer escribir aprender saber pensar creer olvidar entender querer amar odiar esperar intentar ayudar dar tomar llevar tirar abrir cerrar
empezar terminar quedar vivir morir crecer construir hacer romper cortar lavar limpiar jugar cantar trabajar buscar encontrar perder caer
mostrar nadar volar reparar

bueno malo mejor peor grande pequeño largo corto alto bajo ancho estrecho grueso delgado pesado ligero rápido lento duro blando caliente
frío seco mojado limpio sucio lleno vacío nuevo viejo joven rico pobre fuerte débil redondo fácil difícil seguro peligroso feliz triste
enojado amable listo tonto famoso hermoso bonito feo divertido verdadero falso muerto

los las una unos unas del con sin por para entre hacia desde hasta durante antes después contra pero porque que quien qué cuál cuando
cuándo cómo como donde dónde cuánto este esta estos ese esa eso aquel mis sus nuestro nosotros ellos ellas usted ustedes está están era
fue ser estar tener tiene hay puede debe aquí allí también muy más menos mucho poco todo todos nada algo cada otro mismo todavía gracias
hola adiós
el la de en un al se me te le lo su mi tu yo si no ya ni
`;
