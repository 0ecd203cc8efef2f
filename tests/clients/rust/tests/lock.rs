//! redis-rs against a running server; each test has keys of its own.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mortise_clients::{connect, Lock};
use redis::Commands;

const PATIENCE: Duration = Duration::from_secs(20);

fn pair(name: &str) -> (Lock, Lock) {
    (Lock::new(name.as_bytes(), b"mine\0\xff\r\n"), Lock::new(name.as_bytes(), b"theirs"))
}

fn await_acquired(lock: &mut Lock, lease_ms: usize) {
    let begin = Instant::now();
    while !lock.try_acquire(lease_ms) {
        assert!(begin.elapsed() < PATIENCE, "the lock is never free");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn acquire_contend_release() {
    let (mut mine, mut theirs) = pair("lock:contended");
    assert!(mine.try_acquire(30_000));
    assert!(!theirs.try_acquire(30_000));
    assert!((20_001..=30_000).contains(&mine.remaining_ms()));
    assert!(mine.release());
    assert_eq!(mine.remaining_ms(), -2);
    assert!(theirs.try_acquire(30_000));
}

#[test]
fn a_stranger_neither_releases_nor_renews() {
    let (mut mine, mut theirs) = pair("lock:stranger");
    assert!(mine.try_acquire(30_000));
    assert!(!theirs.release());
    assert!(!theirs.renew(60_000));
    assert!(mine.remaining_ms() <= 30_000);
    assert!(mine.release());
    assert!(!mine.release());
}

#[test]
fn expires_with_its_lease_and_not_before() {
    let (mut stalled, mut next) = pair("lock:expires");
    let begin = Instant::now();
    assert!(stalled.try_acquire(400));
    await_acquired(&mut next, 30_000);
    assert!(begin.elapsed() >= Duration::from_millis(399), "{:?}", begin.elapsed());
    assert!(!stalled.renew(60_000));
    assert!(!stalled.release());
    assert!(next.remaining_ms() > 20_000);
}

#[test]
fn renewal_keeps_it_past_three_leases() {
    let (mut mine, mut theirs) = pair("lock:renewed");
    assert!(mine.try_acquire(1500));
    for _ in 0..16 {
        thread::sleep(Duration::from_millis(300));
        assert!(mine.renew(1500));
        assert!(!theirs.try_acquire(1500));
    }
    assert!(mine.release());
}

#[test]
fn names_and_tokens_are_binary() {
    let all: Vec<u8> = (0..=255).collect();
    let long = vec![b'x'; 2000];
    for name in [&b"lock:\0\xff\r\n$3\r\n"[..], &all[..], &long[..]] {
        let mut lock = Lock::new(name, &all);
        assert!(lock.try_acquire(30_000));
        let value: Vec<u8> = lock.connection.get(name).unwrap();
        assert_eq!(value, all);
        assert!(lock.renew(40_000) && lock.remaining_ms() > 30_000);
        assert!(lock.release());
        assert!(!lock.connection.exists::<_, bool>(name).unwrap());
    }
}

#[test]
fn a_waiter_is_woken_by_a_push() {
    let waiter = thread::spawn(|| -> Option<(String, String)> {
        connect().blpop(&["signal:other", "signal:rust"], 15).unwrap()
    });
    thread::sleep(Duration::from_millis(200));
    let _: i64 = connect().lpush("signal:rust", "go").unwrap();
    let popped = waiter.join().unwrap();
    assert_eq!(popped, Some(("signal:rust".to_string(), "go".to_string())));
}

#[test]
fn a_subscriber_is_woken() {
    let mut listening = connect();
    let mut subscription = listening.as_pubsub();
    subscription.subscribe("released:rust").unwrap();
    let receivers: i64 = connect().publish("released:rust", "lock").unwrap();
    assert_eq!(receivers, 1);
    let message = subscription.get_message().unwrap();
    assert_eq!(message.get_payload::<String>().unwrap(), "lock");
}

#[test]
fn a_watched_transaction() {
    let mut connection = connect();
    let (first, second): (i64, Vec<String>) =
        redis::transaction(&mut connection, &["watched:rust"], |connection, pipe| {
            let seen: Option<i64> = connection.get("watched:rust")?;
            pipe.set("watched:rust", seen.unwrap_or(0) + 1)
                .ignore()
                .incr("watched:rust", 41)
                .rpush("list:rust", "a")
                .ignore()
                .lrange("list:rust", 0, -1)
                .query(connection)
        })
        .unwrap();
    assert_eq!((first, second), (42, vec!["a".to_string()]));
}

#[test]
fn workers_lose_no_increment() {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let workers: Vec<_> = (0..4)
        .map(|i| {
            thread::spawn(move || {
                let mut lock = Lock::new(b"lock:counter", format!("worker {}", i).as_bytes());
                for _ in 0..15 {
                    await_acquired(&mut lock, 30_000);
                    let value = COUNTER.load(Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(1));
                    COUNTER.store(value + 1, Ordering::SeqCst);
                    assert!(lock.release());
                }
            })
        })
        .collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    assert_eq!(COUNTER.load(Ordering::SeqCst), 60);
}
