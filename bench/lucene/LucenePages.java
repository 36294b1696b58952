import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.store.FSDirectory;

/**
 * Searches pages with Lucene's BM25 (k1 = 1.2, b = 0.75) over title and text:
 *
 *   java -cp JARS LucenePages.java index PAGES DIRECTORY
 *   java -cp JARS LucenePages.java rank  DIRECTORY QUERIES BOOST…
 *   java -cp JARS LucenePages.java serve DIRECTORY PORT BOOST
 *
 * PAGES has three lines for each page: URL, title, text, none of them with a line end inside. Any word of a query may
 * match; a match in the title counts BOOST times.
 *
 * `rank` reads a query from each line of QUERIES. For each boost and query, in that order, it prints one line: the URLs
 * of the ten best pages, separated by spaces.
 *
 * `serve` answers `GET /search?q=QUERY` on loopback with the ten best pages as JSON, each with URL, title, score and a
 * snippet. It prints a line when it is ready. One thread per processor runs queries. The text field has offsets in its
 * postings, with which the highlighter is fastest; the highlighter has its default settings, so it looks for the best
 * sentence in the first 10,000 characters of a text.
 */
public final class LucenePages {
  private static final int RESULTS = 10;

  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "index" -> index(Paths.get(args[1]), Paths.get(args[2]));
      case "rank" -> rank(Paths.get(args[1]), Paths.get(args[2]), List.of(args).subList(3, args.length));
      case "serve" -> serve(Paths.get(args[1]), Integer.parseInt(args[2]), Float.parseFloat(args[3]));
      default -> throw new IllegalArgumentException("expected index, rank or serve, got " + args[0]);
    }
  }

  private static void index(Path pages, Path directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(ANALYZER);
    config.setRAMBufferSizeMB(256);
    FieldType withOffsets = new FieldType(TextField.TYPE_STORED);
    withOffsets.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    try (IndexWriter writer = new IndexWriter(FSDirectory.open(directory), config);
        BufferedReader lines = Files.newBufferedReader(pages, StandardCharsets.UTF_8)) {
      for (String url = lines.readLine(); url != null; url = lines.readLine()) {
        Document document = new Document();
        document.add(new StoredField("url", url));
        document.add(new TextField("title", lines.readLine(), Field.Store.YES));
        document.add(new Field("text", lines.readLine(), withOffsets));
        writer.addDocument(document);
      }
    }
  }

  private static void rank(Path directory, Path queries, List<String> boosts) throws IOException {
    IndexSearcher searcher = open(directory);
    List<String> lines = Files.readAllLines(queries, StandardCharsets.UTF_8);
    for (String boost : boosts)
      for (String query : lines) {
        List<String> urls = new ArrayList<>();
        for (ScoreDoc found : searcher.search(queryOf(query, Float.parseFloat(boost)), RESULTS).scoreDocs)
          urls.add(searcher.doc(found.doc).get("url"));
        System.out.println(String.join(" ", urls));
      }
  }

  private static void serve(Path directory, int port, float boost) throws IOException {
    IndexSearcher searcher = open(directory);
    UnifiedHighlighter highlighter = new UnifiedHighlighter(searcher, ANALYZER);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 1024);
    server.setExecutor(Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors()));
    server.createContext("/search", exchange -> respond(exchange, resultsOf(searcher, highlighter, exchange, boost)));
    server.start();
    System.out.println("ready");
  }

  private static String resultsOf(
      IndexSearcher searcher, UnifiedHighlighter highlighter, HttpExchange exchange, float boost) throws IOException {
    String text = URLDecoder.decode(exchange.getRequestURI().getRawQuery().substring(2), StandardCharsets.UTF_8);
    Query query = queryOf(text, boost);
    TopDocs found = searcher.search(query, RESULTS);
    String[] snippets = highlighter.highlight("text", query, found);
    StringBuilder json = new StringBuilder("{\"query\":");
    appendString(json, text);
    json.append(",\"total\":").append(found.totalHits.value).append(",\"results\":[");
    for (int i = 0; i < found.scoreDocs.length; i++) {
      ScoreDoc result = found.scoreDocs[i];
      Document document = searcher.doc(result.doc, Set.of("url", "title"));
      appendString(json.append(i == 0 ? "{\"url\":" : ",{\"url\":"), document.get("url"));
      appendString(json.append(",\"title\":"), document.get("title"));
      appendString(json.append(",\"snippet\":"), snippets[i] == null ? "" : snippets[i]);
      json.append(",\"score\":").append(result.score).append('}');
    }
    return json.append("]}").toString();
  }

  private static void respond(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void appendString(StringBuilder json, String value) {
    json.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') json.append('\\').append(c);
      else if (c < ' ') json.append(String.format("\\u%04x", (int) c));
      else json.append(c);
    }
    json.append('"');
  }

  private static IndexSearcher open(Path directory) throws IOException {
    return new IndexSearcher(DirectoryReader.open(FSDirectory.open(directory)));
  }

  private static Query queryOf(String text, float boost) throws IOException {
    BooleanQuery.Builder words = new BooleanQuery.Builder();
    for (String term : termsOf(text)) {
      words.add(new BoostQuery(new TermQuery(new Term("title", term)), boost), Occur.SHOULD);
      words.add(new TermQuery(new Term("text", term)), Occur.SHOULD);
    }
    return words.build();
  }

  /** Words are lower-cased and stemmed with Porter2; there are no stop words. */
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
