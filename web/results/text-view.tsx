import { useQuery } from '@tanstack/preact-query'
import { useId, useState } from 'preact/hooks'
import { CopyButton } from '../design/copy-button.tsx'
import { SCROLLABLE } from '../design/scrollable.ts'
import { Notice, Skeleton } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatCount } from '../text/format.ts'
import { findMatches } from './find-matches.ts'
import type { ResultMedia } from './preview.tsx'
import styles from './text-view.module.css'

const texts = defineTexts({
  en: {
    search: 'Search in the text',
    copy: 'Copy text',
    matches: (count: number) => formatCount(count, { one: '# match', other: '# matches' }),
    shortened: 'Only the beginning of the text is shown. Download the file to read all of it.',
    empty: 'The file contains no text.',
    failed: 'The text could not be loaded. Check the connection, then reload the page.',
  },
  uk: {
    search: 'Пошук у тексті',
    copy: 'Копіювати текст',
    matches: (count: number) =>
      formatCount(count, { one: '# збіг', few: '# збіги', many: '# збігів', other: '# збігу' }),
    shortened: 'Показано лише початок тексту. Завантажте файл, щоб прочитати весь.',
    empty: 'У файлі немає тексту.',
    failed: 'Не вдалося завантажити текст. Перевірте з’єднання та оновіть сторінку.',
  },
  ru: {
    search: 'Поиск по тексту',
    copy: 'Копировать текст',
    matches: (count: number) =>
      formatCount(count, {
        one: '# совпадение',
        few: '# совпадения',
        many: '# совпадений',
        other: '# совпадения',
      }),
    shortened: 'Показано только начало текста. Скачайте файл, чтобы прочитать весь.',
    empty: 'В файле нет текста.',
    failed: 'Не удалось загрузить текст. Проверьте соединение и обновите страницу.',
  },
})

const CHARACTERS_SHOWN_MAX = 200_000

/** A text that can be read, searched and copied. */
export function TextView({ media }: { media: ResultMedia }) {
  const t = texts()
  const [query, setQuery] = useState('')
  const id = useId()
  const { data: text, error } = useQuery({
    queryKey: ['text', media.url],
    queryFn: () => readText(media.url),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <Notice kind="bad">{t.failed}</Notice>
  if (text === undefined) return <Skeleton height="12rem" />
  if (text.trim() === '') return <Notice>{t.empty}</Notice>
  const shown = text.slice(0, CHARACTERS_SHOWN_MAX)
  const parts = findMatches(shown, query)
  return (
    <div class={styles.view}>
      <div class={styles.bar}>
        <input
          class={styles.search}
          type="search"
          value={query}
          aria-label={t.search}
          aria-describedby={id}
          placeholder={t.search}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <span id={id} class={styles.count} role="status">
          {query !== '' && t.matches(parts.filter(({ isMatch }) => isMatch).length)}
        </span>
        <CopyButton text={text} label={t.copy} look="plain" />
      </div>
      <section class={styles.text} {...SCROLLABLE} aria-label={media.filename}>
        {parts.map(({ text: part, isMatch }, index) =>
          isMatch ? <mark key={index}>{part}</mark> : <span key={index}>{part}</span>,
        )}
      </section>
      {shown.length < text.length && <Notice>{t.shortened}</Notice>}
    </div>
  )
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return await response.text()
}
