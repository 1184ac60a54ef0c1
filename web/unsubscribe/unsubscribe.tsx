import { useMutation, useQuery } from '@tanstack/preact-query'
import { useLocation, useRoute } from 'preact-iso'
import { AuthPage } from '../account/auth-page.tsx'
import { Button } from '../design/button.tsx'
import { ErrorNotice, Notice, Skeleton } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: {
    title: 'Unsubscribe',
    jobs: 'Stop emails about your finished jobs?',
    news: 'Stop emails with product news?',
    ended: 'You are unsubscribed. You will not receive these emails again.',
    unknown: 'This link is not valid. Check that you copied the whole URL.',
    failed: 'The service could not be reached. Try again later.',
  },
  uk: {
    title: 'Відписатися',
    jobs: 'Більше не надсилати листи про завершені завдання?',
    news: 'Більше не надсилати новини?',
    ended: 'Ви відписалися. Таких листів більше не буде.',
    unknown: 'Посилання недійсне. Перевірте, чи скопійовано його повністю.',
    failed: 'Не вдалося зв’язатися із сервісом. Спробуйте пізніше.',
  },
  ru: {
    title: 'Отписаться',
    jobs: 'Больше не присылать письма о завершенных заданиях?',
    news: 'Больше не присылать новости?',
    ended: 'Вы отписались. Таких писем больше не будет.',
    unknown: 'Ссылка недействительна. Проверьте, скопирована ли она целиком.',
    failed: 'Не удалось связаться с сервисом. Попробуйте позже.',
  },
})

/** Sends a request to the link itself. @returns whether the link is known */
async function ask(path: string, method: 'HEAD' | 'POST'): Promise<boolean> {
  const response = await fetch(path, { method })
  if (response.ok) return true
  if (response.status === 404) return false
  throw new Error(texts().failed)
}

/** Ends one kind of emails. Asks first, because mail scanners open links. */
export default function Unsubscribe() {
  const t = texts()
  const { path } = useLocation()
  const { topic } = useRoute().params
  const link = useQuery({ queryKey: [path], queryFn: () => ask(path, 'HEAD') })
  const ending = useMutation({ mutationFn: () => ask(path, 'POST') })
  const question = topic === 'news' ? t.news : t.jobs
  const error = link.error ?? ending.error
  return (
    <AuthPage title={t.title}>
      {link.isPending && <Skeleton height="4.5rem" />}
      {(link.data === false || ending.data === false) && <Notice kind="bad">{t.unknown}</Notice>}
      {error && <ErrorNotice error={error} />}
      {ending.data && <Notice kind="good">{t.ended}</Notice>}
      {link.data && ending.data === undefined && (
        <>
          <p>{question}</p>
          <Button look="primary" isWide isBusy={ending.isPending} onClick={() => ending.mutate()}>
            {t.title}
          </Button>
        </>
      )}
    </AuthPage>
  )
}
