import { Link2 } from 'lucide-preact'
import { SignedIn } from '../account/signed-in.tsx'
import { Button, LinkButton } from '../design/button.tsx'
import { RetryNotice } from '../design/retry-notice.tsx'
import { EmptyState, Skeleton } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { LinkCard } from './link-card.tsx'
import styles from './upload-links.module.css'
import { useSessions } from './use-sessions.ts'

const texts = defineTexts({
  en: {
    title: 'Upload links',
    lead: 'Each link lets one person send you one file, without an account. The result of its job is yours, and you pay for it when the file arrives.',
    create: 'Create a link',
    empty: 'No upload links yet',
    empty_text: 'Create a link, send it to someone, and find their file here, already processed.',
    more: 'Show more',
  },
  uk: {
    title: 'Посилання для завантаження',
    lead: 'За кожним посиланням одна людина може надіслати вам один файл без облікового запису. Результат отримаєте ви, а оплата спишеться, коли файл надійде.',
    create: 'Створити посилання',
    empty: 'Посилань ще немає',
    empty_text: 'Створіть посилання та надішліть його. Файл з’явиться тут уже обробленим.',
    more: 'Показати ще',
  },
  ru: {
    title: 'Ссылки для загрузки',
    lead: 'По каждой ссылке один человек может прислать вам один файл без аккаунта. Результат получите вы, а оплата спишется, когда файл придет.',
    create: 'Создать ссылку',
    empty: 'Ссылок еще нет',
    empty_text: 'Создайте ссылку и отправьте ее. Файл появится здесь уже обработанным.',
    more: 'Показать еще',
  },
})

/** The upload links of the account, with what came in through them. */
export default function UploadLinks() {
  return (
    <SignedIn>
      <Links />
    </SignedIn>
  )
}

function Links() {
  const t = texts()
  const create = (
    <LinkButton look="primary" href="/upload-links/new">
      {t.create}
    </LinkButton>
  )
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useSessions()
  const sessions = data?.pages.flat() ?? []
  const is_empty = data !== undefined && sessions.length === 0
  return (
    <Page title={t.title} lead={t.lead} actions={!is_empty && create}>
      {error && <RetryNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height="24rem" />}
      {is_empty && (
        <EmptyState icon={<Link2 size={40} aria-hidden />} title={t.empty} action={create}>
          {t.empty_text}
        </EmptyState>
      )}
      <ul class={styles.list}>
        {sessions.map((each) => (
          <LinkCard key={each.id} session={each} />
        ))}
      </ul>
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </Page>
  )
}
