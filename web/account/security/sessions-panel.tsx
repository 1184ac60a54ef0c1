import { useQuery } from '@tanstack/preact-query'
import { media, queries } from '../../api/media.ts'
import { Button } from '../../design/button.tsx'
import { ErrorNotice, Skeleton } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import panel from '../panel.module.css'
import { Panel } from '../panel.tsx'
import { useSignOut } from '../use-sign-out.ts'
import { SessionRow } from './session-row.tsx'

const texts = defineTexts({
  en: {
    title: 'Sessions',
    lead: 'Where you are signed in. If you do not recognize a device, end its session and change the password.',
    everywhere: 'Sign out everywhere',
    all: 'Ends your sessions in all browsers, here too. API keys keep working.',
  },
  uk: {
    title: 'Сеанси',
    lead: 'Де ви увійшли. Якщо пристрій вам незнайомий, завершіть його сеанс і змініть пароль.',
    everywhere: 'Вийти всюди',
    all: 'Завершує ваші сеанси в усіх браузерах, і в цьому теж. Ключі API працюватимуть далі.',
  },
  ru: {
    title: 'Сеансы',
    lead: 'Где вы вошли. Если устройство вам незнакомо, завершите его сеанс и смените пароль.',
    everywhere: 'Выйти везде',
    all: 'Завершает ваши сеансы во всех браузерах, и в этом тоже. Ключи API продолжат работать.',
  },
})

const KEY = ['sessions']

/** Lists where the account is signed in. Ends sessions one by one, or all of them. */
export function SessionsPanel() {
  const t = texts()
  const signOut = useSignOut()
  const sessions = useQuery({ queryKey: KEY, queryFn: () => media.value.auth.listSessions() })
  const reload = () => queries.invalidateQueries({ queryKey: KEY })
  return (
    <Panel title={t.title} lead={t.lead}>
      {sessions.isPending && <Skeleton height="6rem" />}
      {sessions.error && <ErrorNotice error={sessions.error} />}
      {sessions.data && (
        <ul class={panel.list}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={reload} />
          ))}
        </ul>
      )}
      {signOut.error && <ErrorNotice error={signOut.error} />}
      <p class={panel.quiet}>{t.all}</p>
      <div>
        <Button isBusy={signOut.isPending} onClick={() => signOut.mutate('everywhere')}>
          {t.everywhere}
        </Button>
      </div>
    </Panel>
  )
}
