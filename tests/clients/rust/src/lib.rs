//! A lock as applications write it on redis-rs: SET NX PX, and scripts that compare the token.

use redis::{Connection, RedisResult, Script};

const RELEASE: &str = r"
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0";
const RENEW: &str = r"
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('pexpire', KEYS[1], ARGV[2])
end
return 0";

/// A connection to the server whose port is in MORTISE_PORT.
pub fn connect() -> Connection {
    let port = std::env::var("MORTISE_PORT").expect("MORTISE_PORT: run by with_server.py");
    let client = redis::Client::open(format!("redis://127.0.0.1:{}/", port)).unwrap();
    client.get_connection().unwrap()
}

pub struct Lock {
    pub connection: Connection,
    name: Vec<u8>,
    token: Vec<u8>,
    release: Script,
    renew: Script,
}

impl Lock {
    pub fn new(name: &[u8], token: &[u8]) -> Lock {
        // Scripts of this name only, so that no other test loads them.
        let mark = format!("-- {:?}", name);
        Lock {
            connection: connect(),
            name: name.to_vec(),
            token: token.to_vec(),
            release: Script::new(&(mark.clone() + RELEASE)),
            renew: Script::new(&(mark + RENEW)),
        }
    }

    pub fn try_acquire(&mut self, lease_ms: usize) -> bool {
        let reply: RedisResult<Option<String>> = redis::cmd("SET")
            .arg(&self.name)
            .arg(&self.token)
            .arg("NX")
            .arg("PX")
            .arg(lease_ms)
            .query(&mut self.connection);
        reply.unwrap().is_some()
    }

    pub fn release(&mut self) -> bool {
        let mut call = self.release.key(&self.name);
        call.arg(&self.token).invoke(&mut self.connection).unwrap()
    }

    pub fn renew(&mut self, lease_ms: usize) -> bool {
        let mut call = self.renew.key(&self.name);
        call.arg(&self.token).arg(lease_ms);
        call.invoke(&mut self.connection).unwrap()
    }

    pub fn remaining_ms(&mut self) -> i64 {
        let mut command = redis::cmd("PTTL");
        command.arg(&self.name).query(&mut self.connection).unwrap()
    }

    /// Whether the server has the script that renews; EVALSHA alone does not load it.
    pub fn renewal_is_known(&mut self) -> bool {
        let mut command = redis::cmd("EVALSHA");
        command.arg(self.renew.get_hash()).arg(1).arg(&self.name).arg("nobody").arg(1);
        let reply: RedisResult<i64> = command.query(&mut self.connection);
        match reply {
            Ok(_) => true,
            Err(error) => {
                assert_eq!(error.kind(), redis::ErrorKind::NoScriptError, "{}", error);
                false
            }
        }
    }

    pub fn flush_scripts(&mut self) {
        let mut command = redis::cmd("SCRIPT");
        command.arg("FLUSH").query(&mut self.connection).unwrap()
    }
}
