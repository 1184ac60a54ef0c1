// Shows the API reader on /docs/api. A separate file, since the content security policy forbids inline scripts.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  persistAuthorization: true,
})
