import MarkdownIt from 'markdown-it'
import { LEGAL_DOCUMENTS, pathOf } from '../../edge/legal/rules/documents.ts'
import { LOCALES } from '../../shared/text/texts.ts'
import { LANGUAGE_NAMES, PAGE_TEXTS } from './page-texts.ts'
import type { LegalFile } from './read-folder.ts'

/** HTML in a document is shown as text, and links that run scripts are not links. */
const markdown = new MarkdownIt({ html: false, typographer: false })

/** Renders the page of a text. It needs no script, and its links keep its language. */
export function renderLegalPage(file: LegalFile, styles: readonly string[]): string {
  const { document, locale, title } = file
  const texts = PAGE_TEXTS[locale]
  const links = LEGAL_DOCUMENTS.map((each) => {
    const current = each === document && file.is_current ? ' aria-current="page"' : ''
    return `<a href="/${each}?lang=${locale}"${current}>${escapeText(texts.names[each])}</a>`
  })
  const languages = LOCALES.map((each) => {
    const current = each === locale ? ' aria-current="true"' : ''
    return `<a href="/${document}?lang=${each}" lang="${each}" hreflang="${each}"${current}>${LANGUAGE_NAMES[each]}</a>`
  })
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)} · Media Credits</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${styles.map((href) => `<link rel="stylesheet" href="/${href}">`).join('\n')}
</head>
<body class="legal">
<header>
<a class="visually-hidden skip" href="#content">${texts.skip}</a>
<div>
<a class="brand" href="/?lang=${locale}"><img src="/icon.svg" alt="" width="28" height="28">Media Credits</a>
<nav aria-label="${texts.main}"><a href="/studio?lang=${locale}">${texts.studio}</a><a href="/docs">${texts.docs}</a></nav>
</div>
</header>
<main id="content" tabindex="-1">
<h1>${escapeText(title)}</h1>
${renderNotices(file)}
${renderMarkdown(file)}
<aside>
<p>${texts.version} <a href="${pathOf(file)}">${file.version}</a></p>
<p>${texts.source} <a href="${pathOf(file)}.md">${file.sha256}</a></p>
</aside>
</main>
<footer>
<div>
<nav aria-label="${texts.documents}">${links.join('')}</nav>
<nav aria-label="${texts.language}">${languages.join('')}</nav>
</div>
</footer>
</body>
</html>
`
}

function renderNotices({ document, locale, is_template, is_current }: LegalFile): string {
  const texts = PAGE_TEXTS[locale]
  const notices = [
    ...(is_template ? [texts.template] : []),
    ...(is_current ? [] : [`${texts.earlier} <a href="/${document}?lang=${locale}">${texts.current}</a>`]),
  ]
  return notices.map((notice) => `<p class="notice" role="note">${notice}</p>`).join('\n')
}

/** Links between the documents lead to their pages in the same language. */
function renderMarkdown({ markdown: text, locale }: LegalFile): string {
  return markdown.render(text).replace(/href="(\/[^"?#]*)"/g, `href="$1?lang=${locale}"`)
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
