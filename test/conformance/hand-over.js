/**
 * The client that the referee starts: `node hand-over.js <address of the test> <URL of the server>`.
 * The test does the work, and answers with the exit code.
 */
const [, , test, url] = process.argv;
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const response = await fetch(test, {method: 'POST', body: JSON.stringify({url, context})});
process.exitCode = Number(await response.text());
