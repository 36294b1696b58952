/** Renders the document around an admin page. Admin pages are in English only, like the command line. */
import { type Html, html } from '../html.ts';
import { pageIcon } from '../layout.ts';
import type { View } from '../request-context.ts';

export function renderAdminDocument({ site, preferences }: View, title: string, body: Html): string {
  return String(html`<!doctype html>
<html lang="en" dir="ltr" data-scheme="${preferences.scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title} · ${site.brand.name}</title>
${pageIcon(site)}
<link rel="stylesheet" href="${site.assets.stylesheet}">
<link rel="stylesheet" href="${site.assets.adminStylesheet}">
<script type="module" src="${site.assets.adminScript}"></script>
</head>
<body class="admin">
${body}
</body>
</html>
`);
}
