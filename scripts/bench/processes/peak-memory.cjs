/** Preloaded: tells the most memory the process had, in KiB, in the file that a variable names. */
const {readFileSync, writeFileSync} = require('node:fs');

process.on('exit', () => {
	writeFileSync(process.env.BENCH_MEMORY_FILE, String(readPeak()));
});

function readPeak() {
	try {
		// `maxRSS` may be that of the process that started this one.
		return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
	} catch {
		return process.resourceUsage().maxRSS;
	}
}
