import { Button } from '../../design/button.tsx'
import { ErrorNotice } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { Panel } from '../panel.tsx'
import { useSignOut } from '../use-sign-out.ts'

const texts = defineTexts({
  en: {
    title: 'Sessions',
    lead: 'Ends your sessions in all browsers, here too. API keys keep working.',
    everywhere: 'Sign out everywhere',
  },
  uk: {
    title: 'Сеанси',
    lead: 'Завершує ваші сеанси в усіх браузерах, і в цьому теж. Ключі API працюватимуть далі.',
    everywhere: 'Вийти всюди',
  },
  ru: {
    title: 'Сеансы',
    lead: 'Завершает ваши сеансы во всех браузерах, и в этом тоже. Ключи API продолжат работать.',
    everywhere: 'Выйти везде',
  },
})

export function SessionsPanel() {
  const t = texts()
  const signOut = useSignOut()
  return (
    <Panel title={t.title} lead={t.lead}>
      {signOut.error && <ErrorNotice error={signOut.error} />}
      <div>
        <Button isBusy={signOut.isPending} onClick={() => signOut.mutate('everywhere')}>
          {t.everywhere}
        </Button>
      </div>
    </Panel>
  )
}
