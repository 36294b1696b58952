import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
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
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
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
import org.apache.lucene.store.FSDirectory;

/**
 * Searches pages with Lucene's BM25 (k1 = 1.2, b = 0.75) over title and text:
 *
 *   java -cp JARS LuceneTitles.java PAGES QUERIES DIRECTORY BOOST…
 *
 * PAGES has three lines for each page: URL, title, text, none of them with a line end inside. QUERIES has a query in each
 * line. Any word of a query may match; a match in the title counts BOOST times. For each boost and query, in that
 * order, one line is printed: the URLs of the ten best pages, separated by spaces.
 */
public final class LuceneTitles {
  public static void main(String[] args) throws IOException {
    try (FSDirectory directory = FSDirectory.open(Paths.get(args[2]))) {
      index(Paths.get(args[0]), directory);
      List<String> queries = Files.readAllLines(Paths.get(args[1]), StandardCharsets.UTF_8);
      IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
      for (int i = 3; i < args.length; i++)
        for (String query : queries) System.out.println(search(searcher, query, Float.parseFloat(args[i])));
    }
  }

  private static void index(Path pages, FSDirectory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(ANALYZER);
    config.setRAMBufferSizeMB(256);
    try (IndexWriter writer = new IndexWriter(directory, config);
        BufferedReader lines = Files.newBufferedReader(pages, StandardCharsets.UTF_8)) {
      for (String url = lines.readLine(); url != null; url = lines.readLine()) {
        Document document = new Document();
        document.add(new StoredField("url", url));
        document.add(new TextField("title", lines.readLine(), Field.Store.NO));
        document.add(new TextField("text", lines.readLine(), Field.Store.NO));
        writer.addDocument(document);
      }
    }
  }

  private static String search(IndexSearcher searcher, String query, float boost) throws IOException {
    BooleanQuery.Builder words = new BooleanQuery.Builder();
    for (String term : termsOf(query)) {
      Query title = new TermQuery(new Term("title", term));
      words.add(new BoostQuery(title, boost), Occur.SHOULD);
      words.add(new TermQuery(new Term("text", term)), Occur.SHOULD);
    }
    List<String> urls = new ArrayList<>();
    for (ScoreDoc found : searcher.search(words.build(), 10).scoreDocs) urls.add(searcher.doc(found.doc).get("url"));
    return String.join(" ", urls);
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
