'use strict';
// A server process on a free port of 127.0.0.1; the binary comes from MORTISE_SERVER.
// Ports are taken below the ephemeral range, which outgoing connections use.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const portFirst = 21000;
const portLast = 21999;
const startupMsMax = 20000;
const shutdownMsMax = 10000;

function serverBinary() {
  const built = path.resolve(__dirname, '../../../build/release/mortise-server');
  return process.env.MORTISE_SERVER || built;
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}

async function freePort() {
  const count = portLast - portFirst + 1;
  const start = Math.floor(Math.random() * count);
  for (let i = 0; i < count; i++) {
    const port = portFirst + ((start + i) % count);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port');
}

function answersPing(port) {
  return new Promise((resolve) => {
    const connection = net.connect({ port, host: '127.0.0.1' });
    const finish = (answer) => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(1000, () => finish(false));
    connection.once('error', () => finish(false));
    connection.once('connect', () => connection.write('*1\r\n$4\r\nPING\r\n'));
    connection.once('data', (data) => finish(data.toString() === '+PONG\r\n'));
  });
}

class LocalServer {
  static async start() {
    const server = new LocalServer();
    process.once('exit', () => server.isRunning() && server.process.kill('SIGKILL'));
    server.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mortise-clients-'));
    for (let attempt = 0; attempt < 20; attempt++) {
      if (await server.tryPort(await freePort())) return server;
      if (server.isRunning()) server.process.kill('SIGKILL');
    }
    throw new Error(`${serverBinary()} did not answer PING:\n${server.output()}`);
  }

  async tryPort(port) {
    this.port = port;
    const log = fs.openSync(path.join(this.folder, 'server.log'), 'a');
    const where = ['--port', String(port), '--bind', '127.0.0.1'];
    this.process = spawn(serverBinary(), [...where, '--save', '', '--appendonly', 'no'], {
      cwd: this.folder,
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    this.exited = once(this.process, 'exit');
    this.exited.catch(() => {});
    const deadline = Date.now() + startupMsMax;
    while (Date.now() < deadline && this.isRunning()) {
      if (await answersPing(port)) return this.isRunning();
      await sleep(10);
    }
    return false;
  }

  isRunning() {
    const { pid, exitCode, signalCode } = this.process ?? {};
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  output() {
    return fs.readFileSync(path.join(this.folder, 'server.log'), 'utf8').slice(-4000);
  }

  // Ends the server by pid; a crash, an exit code or a deaf ear to SIGTERM is a failure.
  async stop() {
    const crashed = !this.isRunning();
    this.process.kill('SIGTERM');
    const late = setTimeout(() => this.process.kill('SIGKILL'), shutdownMsMax);
    const [code] = await this.exited;
    clearTimeout(late);
    const output = this.output();
    fs.rmSync(this.folder, { recursive: true });
    if (crashed || code !== 0) {
      throw new Error(`the server ended with ${code}, crashed: ${crashed}\n${output}`);
    }
  }
}

module.exports = { LocalServer };
