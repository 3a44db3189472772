#!/usr/bin/env ruby
# frozen_string_literal: true

# Records messages as hiera-eyaml makes them, and certificates, with Ruby's OpenSSL: one JSON object on standard output.

require 'base64'
require 'json'
require 'openssl'

def certificate(key, digest)
  name = OpenSSL::X509::Name.parse('/')
  certificate = OpenSSL::X509::Certificate.new
  certificate.version = 2
  certificate.serial = 0
  certificate.subject = certificate.issuer = name
  certificate.not_before = Time.utc(2020, 1, 2, 3, 4, 5)
  certificate.not_after = Time.utc(2070, 1, 2, 3, 4, 5)
  certificate.public_key = key.public_key
  access = 'OCSP;URI:http://ocsp.example.com,caIssuers;URI:http://ca.example.com/ca.crt'
  certificate.add_extension(OpenSSL::X509::ExtensionFactory.new.create_extension('authorityInfoAccess', access))
  certificate.sign(key, OpenSSL::Digest.new(digest))
end

def encrypt(certificates, text, cipher)
  Base64.strict_encode64(OpenSSL::PKCS7.encrypt(certificates, text, OpenSSL::Cipher.new(cipher), OpenSSL::PKCS7::BINARY).to_der)
end

key = OpenSSL::PKey::RSA.new(2048)
other = OpenSSL::PKey::RSA.new(3072)
short = OpenSSL::PKey::RSA.new(1024)
mine = certificate(key, 'SHA256')
theirs = certificate(other, 'SHA256')
puts JSON.pretty_generate(
  pkcs1: key.to_pem,
  pkcs8: key.private_to_pem,
  public: key.public_to_pem,
  short: short.to_pem,
  encrypted_key: key.to_pem(OpenSSL::Cipher.new('aes-256-cbc'), 'secret'),
  messages: [
    ['plain', encrypt([mine], 'plain', 'aes-256-cbc')],
    ['', encrypt([mine], '', 'aes-256-cbc')],
    ['x' * 1000, encrypt([mine], 'x' * 1000, 'aes-256-cbc')],
    ['pässword', encrypt([mine], 'pässword', 'aes-128-cbc')],
    ['pässword', encrypt([mine], 'pässword', 'aes-192-cbc')],
    ['for both', encrypt([theirs, mine], 'for both', 'aes-256-cbc')]
  ],
  not_for_us: encrypt([theirs], 'plain', 'aes-256-cbc'),
  old_cipher: encrypt([mine], 'plain', 'des-ede3-cbc'),
  certificates: %w[MD5 SHA1 SHA224 SHA256 SHA384 SHA512].map { |digest| certificate(key, digest).to_pem },
  short_certificate: certificate(short, 'SHA256').to_pem
)
