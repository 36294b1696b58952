/**
 * Synonyms that every index has: abbreviations that people type for words that pages write in full, and British
 * and American spellings. The format is the same as in the operator's file (synonyms-file.ts). Words with a
 * second common meaning are left out. Forms of the same word are left out too, because stemming finds them.
 */
import { parseSynonyms, type SynonymRule } from './synonyms-file.ts';

const SHIPPED = `
postgres, postgresql
js, javascript
ts => typescript
py => python
k8s, kubernetes
regex, regexp
config, configuration
conf => configuration
db, database
repo, repository
dir, directory, folder
docs, documentation
manual => documentation
env => environment
auth, authentication
arg => argument
args => arguments
param => parameter
params => parameters
func => function
char => character
int => integer
bool, boolean
app, application
admin, administrator
info => information
spec, specification
lib, library
img => image
pic => picture
pics => pictures
picture, image
passwd => password
msg => message
tmp => temporary
perf => performance
async, asynchronous
sync => synchronization
dev => development
osx, macos
mail, email
tls, ssl
delete, remove
wifi, wireless
movie, film
tv, television
colour, color
grey, gray
centre, center
licence, license
catalogue, catalog
behaviour, behavior
neighbour, neighbor
favourite, favorite
organise, organize
initialise, initialize
serialise, serialize
optimise, optimize
normalise, normalize
synchronise, synchronize
visualise, visualize
customise, customize
`;

export const SHIPPED_SYNONYMS: readonly SynonymRule[] = parseSynonyms(SHIPPED, 'shipped synonyms');
