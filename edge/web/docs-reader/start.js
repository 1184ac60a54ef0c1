// Shows the API description on /docs. In a file of its own, because the page's policy runs no inline script.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  persistAuthorization: true,
})
