import { defineTexts } from '../text/define-texts.ts'
import { groupTools, nameOf, type Tool } from './tools.ts'

const texts = defineTexts({
  en: { video: 'Video', image: 'Images', link: 'Links' },
  uk: { video: 'Відео', image: 'Зображення', link: 'Посилання' },
  ru: { video: 'Видео', image: 'Изображения', link: 'Ссылки' },
})

/** Returns the tools as the groups of a list, by service: tools of two services can have the same title. */
export function toolOptions(tools: readonly Tool[]) {
  const titles: Partial<Record<string, string>> = texts()
  const services = [...new Set(tools.map(({ service_slug }) => service_slug))]
  return services.flatMap((service) => {
    const members = tools.filter(({ service_slug }) => service_slug === service)
    return groupTools(members, '').map(({ group, tools: grouped }) => ({
      label: services.length > 1 ? `${titles[service] ?? service} · ${group.title}` : group.title,
      options: grouped.map((tool) => ({ value: nameOf(tool), label: tool.title })),
    }))
  })
}
