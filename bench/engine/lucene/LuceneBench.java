import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

/**
 * Runs Lucene on the benchmark's corpus and queries, on one thread:
 *
 *   java -cp JARS LuceneBench.java index  CORPUS DIRECTORY
 *   java -cp JARS LuceneBench.java search QUERIES DIRECTORY
 *
 * Prints one line of JSON. Words are stemmed, positions are indexed, title and body are stored; queries return the
 * ten best documents.
 */
public final class LuceneBench {
  private static final int ROUNDS = 5;

  public static void main(String[] args) throws Exception {
    if (args[0].equals("index")) index(Paths.get(args[1]), Paths.get(args[2]));
    else search(Paths.get(args[1]), Paths.get(args[2]));
  }

  private static void index(Path corpus, Path directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(ANALYZER);
    config.setRAMBufferSizeMB(256).setUseCompoundFile(false).setMergeScheduler(new SerialMergeScheduler());
    long docs = 0;
    long nanos = 0;
    IndexWriter writer = new IndexWriter(FSDirectory.open(directory), config);
    try (BufferedReader lines = Files.newBufferedReader(corpus, StandardCharsets.UTF_8)) {
      for (List<Document> batch = read(lines); !batch.isEmpty(); batch = read(lines)) {
        long start = cpuNanos();
        for (Document document : batch) writer.addDocument(document);
        nanos += cpuNanos() - start;
        docs += batch.size();
      }
    }
    long start = cpuNanos();
    writer.commit();
    nanos += cpuNanos() - start;
    writer.forceMerge(1);
    writer.close();
    System.out.printf("{\"docs\":%d,\"seconds\":%.3f,\"bytes\":%d}%n", docs, nanos / 1e9, sizeWithoutStored(directory));
  }

  /** Reads the next documents; the time for reading the corpus is not measured. */
  private static List<Document> read(BufferedReader lines) throws IOException {
    List<Document> batch = new ArrayList<>();
    while (batch.size() < 500) {
      String line = lines.readLine();
      if (line == null) break;
      batch.add(documentOf(line));
    }
    return batch;
  }

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Processor time of this process, which does not include other work on the machine. */
  private static long cpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  private static Document documentOf(String line) {
    Document document = new Document();
    String title = field(line, "title");
    String body = field(line, "body");
    document.add(new StringField("url", field(line, "url"), Field.Store.YES));
    document.add(new TextField("text", title, Field.Store.NO));
    document.add(new TextField("text", body, Field.Store.NO));
    document.add(new StoredField("title", title));
    document.add(new StoredField("body", body));
    return document;
  }

  /** Returns the start of the value of a key. Quotes in values are escaped, so no value can look like a key. */
  private static int valueOf(String line, String name) {
    String key = "\"" + name + "\"";
    for (int from = line.indexOf(key); from >= 0; from = line.indexOf(key, from + 1)) {
      int at = afterSpace(line, from + key.length());
      if (line.charAt(at) != ':') continue;
      at = afterSpace(line, at + 1);
      if (line.charAt(at) == '"') return at + 1;
    }
    throw new IllegalArgumentException("no text \"" + name + "\" in " + line.substring(0, Math.min(80, line.length())));
  }

  private static int afterSpace(String line, int at) {
    while (line.charAt(at) == ' ') at++;
    return at;
  }

  /** Returns the string value of a field; the corpus has only strings. */
  private static String field(String line, String name) {
    int at = valueOf(line, name);
    StringBuilder out = new StringBuilder();
    for (char c = line.charAt(at); c != '"'; c = line.charAt(++at)) {
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = line.charAt(++at);
      if (c == 'u') {
        out.append((char) Integer.parseInt(line.substring(at + 1, at + 5), 16));
        at += 4;
      } else {
        out.append(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c);
      }
    }
    return out.toString();
  }

  private static long sizeWithoutStored(Path directory) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) if (!file.toString().matches(".*\\.fd[a-z]$")) bytes += Files.size(file);
    }
    return bytes;
  }

  private static void search(Path queries, Path directory) throws IOException {
    List<String> lines = Files.readAllLines(queries, StandardCharsets.UTF_8);
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(FSDirectory.open(directory)));
    searcher.setQueryCache(null);
    StringBuilder out = new StringBuilder("{");
    for (String mode : new String[] {"or", "and", "phrase"}) {
      double[] best = new double[lines.size()];
      Arrays.fill(best, Double.MAX_VALUE);
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < best.length; i++) {
          long start = System.nanoTime();
          searcher.search(queryOf(mode, lines.get(i)), 10);
          double ms = (System.nanoTime() - start) / 1e6;
          best[i] = round < 2 ? Double.MAX_VALUE : Math.min(best[i], ms);
        }
      }
      if (out.length() > 1) out.append(',');
      out.append('"').append(mode).append("\":").append(Arrays.toString(best));
    }
    System.out.println(out.append('}'));
  }

  private static Query queryOf(String mode, String line) throws IOException {
    List<String> terms = termsOf(line);
    if (mode.equals("phrase")) return new PhraseQuery("text", terms.toArray(new String[0]));
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    Occur occur = mode.equals("and") ? Occur.MUST : Occur.SHOULD;
    for (String term : terms) query.add(new TermQuery(new Term("text", term)), occur);
    return query.build();
  }

  /** Words are lower-cased and stemmed with Porter2, as in our engine; there are no stop words. */
  private static final Analyzer ANALYZER =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          Tokenizer words = new StandardTokenizer();
          return new TokenStreamComponents(words, new SnowballFilter(new LowerCaseFilter(words), "English"));
        }
      };

  private static List<String> termsOf(String line) throws IOException {
    List<String> terms = new ArrayList<>();
    try (TokenStream tokens = ANALYZER.tokenStream("text", line)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) terms.add(term.toString());
      tokens.end();
    }
    return terms;
  }
}
