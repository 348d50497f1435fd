/**
 * The smallest possible client: reads a stream and writes its text, one write per read.
 *
 * `node http-loop.js <base-url> [--ask]`; `--ask` waits for a line first, and keeps running.
 */
import {createParser} from 'eventsource-parser';

// An `import` would load undici on Node 24.
const {request} = process.getBuiltinModule('node:http');
const [baseUrl, mode] = process.argv.slice(2);

function stream() {
	const decoder = new TextDecoder();
	let text = '';
	const parser = createParser({
		onEvent({data}) {
			if (data === '[DONE]') return;
			text += JSON.parse(data).choices[0]?.delta.content ?? '';
		},
	});
	const body = JSON.stringify({model: 'bench', stream: true, messages: []});
	const headers = {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
	request(`${baseUrl}/chat/completions`, {method: 'POST', headers}, (response) => {
		response.on('data', (bytes) => {
			parser.feed(decoder.decode(bytes, {stream: true}));
			if (text !== '') process.stdout.write(text);
			text = '';
		});
	}).end(body);
}

if (mode === '--ask') {
	process.stdin.once('data', stream);
	process.stdout.write('> ');
} else {
	stream();
}
